/// Boxes with round edges: every point within `radius` of the box min <= p <= max. An object is invalid if min > max.
LANECULL_STRUCT(RoundedBoxes, rounded_boxes) {
    const float* min_x LANECULL_0;
    const float* min_y LANECULL_0;
    const float* min_z LANECULL_0;
    const float* max_x LANECULL_0;
    const float* max_y LANECULL_0;
    const float* max_z LANECULL_0;
    const float* radius LANECULL_0;  ///< >= 0
    uint32_t count LANECULL_0;
#ifdef __cplusplus
    static constexpr Kind kind = Kind::rounded_boxes;
#endif
};
LANECULL_LAYOUT(rounded_boxes, 64)
