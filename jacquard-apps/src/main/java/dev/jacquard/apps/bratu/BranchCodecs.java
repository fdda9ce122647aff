package dev.jacquard.apps.bratu;

import dev.jacquard.apps.bratu.Branch.BranchPoint;
import dev.jacquard.apps.bratu.Branch.Iterate;
import dev.jacquard.apps.bratu.Branch.NewtonSystem;
import dev.jacquard.apps.bratu.Branch.Prediction;
import dev.jacquard.base.codec.Codec;
import dev.jacquard.base.codec.Codecs;
import java.io.IOException;

/** The codecs of values within a step along the branch, which go from rank to rank. Named as services one by one. */
public final class BranchCodecs {
    private static final Codec<double[]> VECTOR = Codecs.standard().of(double[].class);
    private static final Codec<BranchPoint> POINT = new Bratu.PointCodec();
    private static final Codec<Iterate> ITERATE = new OfIterate();

    private BranchCodecs() {}

    /** Writes iterates of Newton's method. */
    public static final class OfIterate implements Codec<Iterate> {
        /** Made by the service loader. */
        public OfIterate() {}

        @Override
        public Class<Iterate> type() {
            return Iterate.class;
        }

        @Override
        public void write(Iterate value, Codec.Output to) throws IOException {
            VECTOR.write(value.u(), to);
            to.writeDouble(value.lambda());
            to.writeDouble(value.change());
        }

        @Override
        public Iterate read(Codec.Input from) throws IOException {
            return new Iterate(VECTOR.read(from), from.readDouble(), from.readDouble());
        }
    }

    /** Writes predictions. */
    public static final class OfPrediction implements Codec<Prediction> {
        /** Made by the service loader. */
        public OfPrediction() {}

        @Override
        public Class<Prediction> type() {
            return Prediction.class;
        }

        @Override
        public void write(Prediction value, Codec.Output to) throws IOException {
            POINT.write(value.from(), to);
            to.writeDouble(value.step());
        }

        @Override
        public Prediction read(Codec.Input from) throws IOException {
            return new Prediction(POINT.read(from), from.readDouble());
        }
    }

    /** Writes systems without their equations, which follow from the iterate, to the bit. */
    public static final class OfSystem implements Codec<NewtonSystem> {
        /** Made by the service loader. */
        public OfSystem() {}

        @Override
        public Class<NewtonSystem> type() {
            return NewtonSystem.class;
        }

        @Override
        public void write(NewtonSystem value, Codec.Output to) throws IOException {
            ITERATE.write(value.at(), to);
            POINT.write(value.from(), to);
            to.writeDouble(value.distance());
        }

        @Override
        public NewtonSystem read(Codec.Input from) throws IOException {
            Iterate at = ITERATE.read(from);
            return new NewtonSystem(Discretisation.at(at), at, POINT.read(from), from.readDouble());
        }
    }
}
