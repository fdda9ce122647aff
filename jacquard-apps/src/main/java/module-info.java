/** Applications: components named by program files. */
@org.jspecify.annotations.NullMarked
module dev.jacquard.apps {
    requires static org.jspecify;
    requires transitive dev.jacquard.components;
    requires transitive dev.jacquard.core;
    requires dev.jacquard.drawing;
    requires dev.jacquard.expressions;
    requires dev.jacquard.flow;
    requires transitive dev.jacquard.numerics;
    requires ij;
    requires java.xml;
    requires tools.jackson.core;

    exports dev.jacquard.apps.graphs;
    exports dev.jacquard.apps.image;
    exports dev.jacquard.apps.replay;
    exports dev.jacquard.apps.stitching;
    exports dev.jacquard.apps.stitching.align;

    provides dev.jacquard.base.codec.Codec with
            dev.jacquard.apps.bratu.BranchCodecs.OfIterate,
            dev.jacquard.apps.bratu.BranchCodecs.OfPrediction,
            dev.jacquard.apps.bratu.BranchCodecs.OfSystem,
            dev.jacquard.apps.bratu.Bratu.PointCodec,
            dev.jacquard.apps.linear.LinearCodecs.OfFactors,
            dev.jacquard.apps.linear.LinearCodecs.OfMatrix,
            dev.jacquard.apps.linear.LinearCodecs.OfRefinement;
    provides dev.jacquard.components.component.Component with
            dev.jacquard.apps.bratu.Bratu.Linearize,
            dev.jacquard.apps.bratu.Bratu.Newton,
            dev.jacquard.apps.bratu.Bratu.Predict,
            dev.jacquard.apps.bratu.Bratu.Solve,
            dev.jacquard.apps.bratu.Bratu.Tangent,
            dev.jacquard.apps.bratu.Bratu.Turn,
            dev.jacquard.apps.known.Heat,
            dev.jacquard.apps.known.Study,
            dev.jacquard.apps.known.Transport,
            dev.jacquard.apps.linear.Linear.Correct,
            dev.jacquard.apps.linear.Linear.Factorize,
            dev.jacquard.apps.linear.Linear.ReadMatrix,
            dev.jacquard.apps.linear.Linear.Residual,
            dev.jacquard.apps.linear.Linear.SolveLinear,
            dev.jacquard.apps.linear.SolveLinearRanks,
            dev.jacquard.apps.pde.Pde,
            dev.jacquard.apps.plate.MakePlate,
            dev.jacquard.apps.register.ResourceRegister,
            dev.jacquard.apps.stitching.Stitching,
            dev.jacquard.apps.tiles.ComparePositions,
            dev.jacquard.apps.walks.Histogram,
            dev.jacquard.apps.walks.RandomWalks;
}
