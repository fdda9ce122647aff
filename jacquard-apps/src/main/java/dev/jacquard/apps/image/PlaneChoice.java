package dev.jacquard.apps.image;

import dev.jacquard.apps.image.TiffHeader.ImageFormatException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The pages of a TIFF that are read. Channels, planes and times count from 1, as ImageJ shows them; 0 for none chosen.
 * The one that there is need not be chosen.
 *
 * @param channel the channel
 * @param plane the plane of a stack, z
 * @param time the time, t
 * @param isMaximum true for the largest sample over all planes of the stack
 */
public record PlaneChoice(int channel, int plane, int time, boolean isMaximum) {
    /** The only page of a file. */
    public static final PlaneChoice ONLY = new PlaneChoice(0, 0, 0, false);

    private static final Pattern PART = Pattern.compile("([zt]?) ?([1-9][0-9]{0,5})");

    /**
     * Reads a plane and a time from text: {@code 3}, {@code z3}, {@code t2}, {@code z3 t2}.
     *
     * @throws IllegalArgumentException if it is something else
     */
    public static PlaneChoice parse(int channel, String planeAndTime, boolean isMaximum) {
        int plane = 0;
        int time = 0;
        for (String part : planeAndTime.strip().split("[, ]+(?=[zt])", -1)) {
            Matcher its = PART.matcher(part);
            boolean isTime = part.startsWith("t");
            if (!its.matches() || (isTime ? time : plane) != 0) {
                throw new IllegalArgumentException(planeAndTime);
            }
            int number = Integer.parseInt(its.group(2));
            time = isTime ? number : time;
            plane = isTime ? plane : number;
        }
        return new PlaneChoice(channel, plane, time, isMaximum);
    }

    /** Returns the pages to read of a file with these. */
    int[] pages(PlaneNumbers numbers, TiffWindow file) throws ImageFormatException {
        requireThere("channel", channel, numbers.channels(), file);
        requireThere(numbers.isPlain() ? "page" : "plane z", plane, numbers.planes(), file);
        requireThere("time t", time, numbers.times(), file);
        boolean takesAll = isMaximum && plane == 0;
        requireChosen(numbers, takesAll, file);
        int[] pages = new int[takesAll ? numbers.planes() : 1];
        for (int i = 0; i < pages.length; i++) {
            int z = takesAll ? i : Math.max(0, plane - 1);
            pages[i] = numbers.page(Math.max(0, channel - 1), z, Math.max(0, time - 1));
            if (pages[i] < 0) {
                throw file.damaged("its description says that plane " + (z + 1) + " is in another file");
            }
        }
        return pages;
    }

    private static void requireThere(String name, int chosen, int count, TiffWindow file) throws ImageFormatException {
        if (chosen > count) {
            throw file.damaged("there is no " + name + " " + chosen + ": the last one is " + count);
        }
    }

    private void requireChosen(PlaneNumbers numbers, boolean takesAll, TiffWindow file) throws ImageFormatException {
        boolean lacksPlane = plane == 0 && numbers.planes() > 1 && !takesAll;
        boolean lacksTime = time == 0 && numbers.times() > 1;
        boolean lacksChannel = channel == 0 && numbers.channels() > 1;
        if (!lacksPlane && !lacksTime && !lacksChannel) {
            return;
        }
        List<String> choices = new ArrayList<>();
        if (lacksChannel) {
            choices.add("tiles.channel, 1 to " + numbers.channels());
        }
        if (lacksPlane) {
            choices.add("tiles.plane, " + (numbers.isPlain() ? "1 to " : "z1 to z") + numbers.planes()
                    + " (or all of them with tiles.projection: max)");
        }
        if (lacksTime) {
            choices.add("tiles.plane, t1 to t" + numbers.times());
        }
        throw file.damaged("it has " + numbers.count() + " pages; choose with " + String.join(" and ", choices));
    }
}
