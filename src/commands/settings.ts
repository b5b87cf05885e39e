/** What Patchbay remembers of people's and channels' wishes, as settings commands see it: one part per kind of wish. */

/** Each part joins as a property of its own. */
export type Settings = Readonly<Record<never, never>>;
