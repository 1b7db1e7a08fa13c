"""Operators without a formula of their own, by what they do; names without namespace and overload."""

from __future__ import annotations

# fmt: off
MOVEMENTS = frozenset(
    (
        "_to_copy", "copy_", "clone", "cat", "stack", "zeros", "zeros_like", "ones", "ones_like", "full",
        "full_like", "fill_", "zero_", "empty", "empty_like", "empty_strided", "new_empty", "new_empty_strided",
        "new_zeros", "new_ones", "new_full", "scalar_tensor", "arange", "detach", "lift_fresh", "alias",
        "gather", "index", "index_select", "slice_scatter", "select_scatter", "select_backward",
        "slice_backward", "as_strided_scatter", "embedding", "constant_pad_nd", "repeat", "roll", "flip",
        "tril", "triu", "_unsafe_view", "_reshape_alias", "_local_scalar_dense", "one_hot", "unfold_backward",
        "randint", "randn", "rand", "randperm", "normal_", "uniform_", "bernoulli_", "random_", "exponential_",
        "_foreach_copy_", "resize_", "contiguous",
    )
)
"""They make, copy, convert or draw values and do no arithmetic on them."""

REDUCTIONS = frozenset(
    (
        "sum", "mean", "amax", "amin", "max", "min", "var", "var_mean", "std", "std_mean", "prod", "cumsum",
        "norm", "linalg_vector_norm", "logsumexp", "argmax", "argmin", "_softmax", "_safe_softmax",
        "_log_softmax", "_softmax_backward_data", "_log_softmax_backward_data", "native_layer_norm",
        "native_layer_norm_backward", "native_batch_norm", "native_batch_norm_backward", "cudnn_batch_norm",
        "cudnn_batch_norm_backward", "_native_batch_norm_legit", "batch_norm_backward", "native_group_norm",
        "native_group_norm_backward", "_fused_rms_norm", "_fused_rms_norm_backward", "nll_loss_forward",
        "nll_loss_backward", "nll_loss2d_forward", "nll_loss2d_backward", "max_pool2d_with_indices",
        "max_pool2d_with_indices_backward", "avg_pool2d", "avg_pool2d_backward", "_adaptive_avg_pool2d",
        "_adaptive_avg_pool2d_backward", "native_dropout", "native_dropout_backward",
        "embedding_dense_backward", "topk", "sort",
    )
)
"""They read every element of their input at least once: sums, norms, softmax, normalisation, pooling, losses."""
# fmt: on
