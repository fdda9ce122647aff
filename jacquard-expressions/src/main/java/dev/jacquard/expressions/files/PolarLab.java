package dev.jacquard.expressions.files;

/**
 * Colours in a polar form of CIELAB: magnitude, saturation as an angle, hue as an angle. Colours half-way between two
 * saturated ones there are light and gray.
 *
 * <p>Source: K. Moreland, Diverging color maps for scientific visualization (2009); sRGB by IEC 61966-2-1, white D65.
 */
final class PolarLab {
    private static final double[] WHITE = {0.95047, 1, 1.08883};
    private static final double[][] TO_XYZ = {
        {0.4124, 0.3576, 0.1805}, {0.2126, 0.7152, 0.0722}, {0.0193, 0.1192, 0.9505}
    };
    private static final double[][] FROM_XYZ = {
        {3.2406, -1.5372, -0.4986}, {-0.9689, 1.8758, 0.0415}, {0.0557, -0.2040, 1.0570}
    };
    /** The magnitude of the gray in the middle. */
    private static final double MIDDLE = 88;

    private static final double EPSILON = 216.0 / 24389;
    private static final double KAPPA = 841.0 / 108;

    private PolarLab() {}

    /** Returns the colour at a share of the way from one through gray to the other, in red, green and blue. */
    static double[] between(double[] from, double[] to, double share) {
        double[] end = polar(share < 0.5 ? from : to);
        double part = Math.abs(2 * share - 1); // 0 in the middle, 1 at the end
        double middle = Math.max(MIDDLE, end[0]);
        double hue = end[2] + (1 - part) * (end[2] > -Math.PI / 3 ? 1 : -1) * spin(end, middle);
        return rgb(middle + part * (end[0] - middle), part * end[1], hue);
    }

    /** Returns the turn of the hue on the way to gray, which keeps the steps even. */
    private static double spin(double[] end, double middle) {
        double sin = StrictMath.sin(end[1]);
        return sin == 0 ? 0 : end[1] * StrictMath.sqrt(Math.max(0, middle * middle - end[0] * end[0])) / (end[0] * sin);
    }

    private static double[] polar(double[] rgb) {
        double[] linear = new double[3];
        for (int i = 0; i < 3; i++) {
            linear[i] = rgb[i] > 0.04045 ? StrictMath.pow((rgb[i] + 0.055) / 1.055, 2.4) : rgb[i] / 12.92;
        }
        double[] f = product(TO_XYZ, linear);
        for (int i = 0; i < 3; i++) {
            double share = f[i] / WHITE[i];
            f[i] = share > EPSILON ? StrictMath.cbrt(share) : KAPPA * share + 4.0 / 29;
        }
        double light = 116 * f[1] - 16;
        double a = 500 * (f[0] - f[1]);
        double b = 200 * (f[1] - f[2]);
        double magnitude = StrictMath.sqrt(light * light + a * a + b * b);
        return new double[] {magnitude, magnitude == 0 ? 0 : StrictMath.acos(light / magnitude), StrictMath.atan2(b, a)
        };
    }

    private static double[] rgb(double magnitude, double saturation, double hue) {
        double chroma = magnitude * StrictMath.sin(saturation);
        double fy = (magnitude * StrictMath.cos(saturation) + 16) / 116;
        double[] xyz = {fy + chroma * StrictMath.cos(hue) / 500, fy, fy - chroma * StrictMath.sin(hue) / 200};
        for (int i = 0; i < 3; i++) {
            double cube = xyz[i] * xyz[i] * xyz[i];
            xyz[i] = WHITE[i] * (cube > EPSILON ? cube : (xyz[i] - 4.0 / 29) / KAPPA);
        }
        double[] rgb = product(FROM_XYZ, xyz);
        for (int i = 0; i < 3; i++) {
            rgb[i] = rgb[i] > 0.0031308 ? 1.055 * StrictMath.pow(rgb[i], 1 / 2.4) - 0.055 : 12.92 * rgb[i];
        }
        return rgb;
    }

    private static double[] product(double[][] matrix, double[] vector) {
        double[] product = new double[3];
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) {
                product[i] += matrix[i][j] * vector[j];
            }
        }
        return product;
    }
}
