package dev.jacquard.drawing;

import dev.jacquard.insight.analysis.GraphSnapshot;
import java.util.List;
import java.util.Locale;

/** Colours of states and lines of kinds: each kind differs from the others in more than its colour. */
final class GraphStyle {
    static final String CRITICAL = "#d6336c";
    static final String START = "#323f4b";
    static final String CRITICAL_RIM = "#fbc4d8";

    /** In the order in which tasks go through them. */
    static final List<String> STATES = List.of("SOURCE", "PENDING", "READY", "RUNNING", "DONE", "FAILED", "CANCELLED");

    private GraphStyle() {}

    static String fill(String state) {
        return switch (state.toUpperCase(Locale.ROOT)) {
            case "SOURCE" -> "#bfe3e0";
            case "PENDING" -> "#e9edf1";
            case "READY" -> "#cbe2fb";
            case "RUNNING" -> "#ffe59a";
            case "DONE" -> "#cdeccf";
            case "FAILED" -> "#f8aaa3";
            case "CANCELLED" -> "#e3d3ee";
            default -> "#fafbfc";
        };
    }

    static String colour(GraphSnapshot.Kind kind) {
        return switch (kind) {
            case IMPLICIT -> "#52606d";
            case EXPLICIT -> "#1864ab";
            case TAG -> "#087f5b";
            case BARRIER -> "#8d6e2f";
            case POLICY -> "#e8590c";
        };
    }

    /** The pattern of a line; "none" is solid. */
    static String dashes(GraphSnapshot.Kind kind) {
        return switch (kind) {
            case IMPLICIT, EXPLICIT -> "none";
            case TAG -> "2 4";
            case BARRIER -> "10 3 2 3";
            case POLICY -> "7 5";
        };
    }

    static double thickness(GraphSnapshot.Kind kind) {
        return kind == GraphSnapshot.Kind.EXPLICIT ? 2.2 : 1.4;
    }

    static String meaning(GraphSnapshot.Kind kind) {
        return switch (kind) {
            case IMPLICIT -> "by accesses";
            case EXPLICIT -> "explicit";
            case TAG -> "group after group";
            case BARRIER -> "barrier";
            case POLICY -> "by the policy";
        };
    }
}
