/** Of what scrolls sideways: where there is more to the right, its edge casts a shadow. */
export const moreShadow = "data-more:shadow-[inset_-8px_0_6px_-6px_var(--line-2)]";
