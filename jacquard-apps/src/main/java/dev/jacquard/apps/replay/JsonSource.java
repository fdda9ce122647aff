package dev.jacquard.apps.replay;

import dev.jacquard.components.program.InputException;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.exc.UnexpectedEndOfInputException;
import tools.jackson.core.json.JsonFactory;

/** Reads a JSON text into values that know their places. */
final class JsonSource {
    private static final JsonFactory FACTORY = new JsonFactory();
    /** A line of a program file that no JSON document has. */
    private static final Pattern COMPONENT = Pattern.compile("^component\\s*:", Pattern.MULTILINE);

    /** The end of a message on a limit of the parser, which names a class of the parser's. */
    private static final Pattern LIMIT = Pattern.compile("exceeds the maximum allowed \\((\\d+), from .*");

    /** The end of a message that is about the settings of the parser. */
    private static final Pattern OF_PARSER =
            Pattern.compile("(:? \\(for \\w+ starting at \\[Source: REDACTED| ?[:(][^:(]*enabl(e|ing) `\\w+Feature"
                    + "|: maybe a \\(non-standard\\) comment\\? \\(not recognized as one since Feature).*");

    private static final String BYTE_ORDER_MARK = "\uFEFF";
    /** The mark in messages of the parser. */
    private static final String MARK_CODE = "(code 65279";

    private final String file;
    private final JsonParser parser;

    private JsonSource(String file, JsonParser parser) {
        this.file = file;
        this.parser = parser;
    }

    /** The document in {@code file}. */
    static JsonValue read(Path file) {
        if (!Files.exists(file)) {
            throw new InputException(file + ": there is no such file");
        }
        if (Files.isDirectory(file)) {
            throw new InputException(file + ": it is a folder; expected a JSON file");
        }
        try {
            return parse(file.toString(), Files.readString(file));
        } catch (CharacterCodingException e) {
            throw new InputException(file + ": it is no text in UTF-8", e);
        } catch (IOException e) {
            throw new InputException(file + ": cannot be read: " + e.getMessage(), e);
        }
    }

    /** The document that is {@code text}; {@code file} is for messages. */
    static JsonValue parse(String file, String text) {
        String json = text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text;
        if (json.isBlank()) {
            throw new InputException(file + ": it is empty; expected a JSON object");
        }
        if (COMPONENT.matcher(json).find()) {
            throw new InputException(
                    file + ": it is a program in YAML; expected a task program in JSON. Programs that name a"
                            + " component are run by './jacquard run " + file + "'");
        }
        try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), json)) {
            return new JsonSource(file, parser).document();
        } catch (UnexpectedEndOfInputException e) {
            throw new InputException(place(file, e.getLocation()) + ": not JSON: it ends in the middle of a value", e);
        } catch (JacksonException e) {
            throw new InputException(place(file, e.getLocation()) + ": not JSON: " + problem(firstLine(e)), e);
        }
    }

    /** Returns a message without the parser's settings. */
    private static String problem(String message) {
        return message.contains(MARK_CODE)
                ? "there is a byte order mark (U+FEFF), which is invisible; expected one at the beginning of the file"
                        + " alone"
                : OF_PARSER.matcher(message).replaceFirst("");
    }

    private static String firstLine(JacksonException e) {
        return e.getOriginalMessage().lines().findFirst().orElse("").strip();
    }

    private JsonValue document() {
        try {
            parser.nextToken();
            JsonValue value = value();
            if (parser.nextToken() != null) {
                throw new InputException(here() + ": not JSON: something follows the end of the document");
            }
            return value;
        } catch (StreamConstraintsException e) { // without a place, often
            String most = LIMIT.matcher(firstLine(e)).replaceFirst("is more than $1, which is the most");
            throw new InputException(place(file, parser.currentLocation()) + ": too large to read: " + most, e);
        }
    }

    private JsonValue value() {
        String where = here();
        JsonToken token = parser.currentToken();
        return switch (token) {
            case START_OBJECT -> new JsonValue.Members(where, members());
            case START_ARRAY -> new JsonValue.Items(where, items());
            case VALUE_STRING -> new JsonValue.Text(where, parser.getString());
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> new JsonValue.Digits(where, parser.getString());
            case VALUE_TRUE -> new JsonValue.Truth(where, true);
            case VALUE_FALSE -> new JsonValue.Truth(where, false);
            case VALUE_NULL -> new JsonValue.Nothing(where);
            default -> throw new IllegalStateException("JSON values do not begin with " + token);
        };
    }

    private Map<String, JsonMember> members() {
        Map<String, JsonMember> members = new LinkedHashMap<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            String where = here();
            parser.nextToken();
            JsonMember earlier = members.put(name, new JsonMember(where, value()));
            if (earlier != null) {
                throw new InputException(where + ": \"" + name + "\" is given a second time, after " + earlier.where());
            }
        }
        return members;
    }

    private List<JsonValue> items() {
        List<JsonValue> items = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            items.add(value());
        }
        return items;
    }

    private String here() {
        return place(file, parser.currentTokenLocation());
    }

    private static String place(String file, TokenStreamLocation at) {
        return at == null || at.getLineNr() < 1 ? file : file + ":" + at.getLineNr() + ":" + at.getColumnNr();
    }
}
