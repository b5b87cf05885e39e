/** The content of samples, and shared parts. */
import { channelId, personId } from '../../../src/lib/ids.ts';
import type { View } from '../../../src/views/views.ts';

/** `text` fills every field that others choose; lists have `count` rows. */
export type SampleContent = { readonly text: string; readonly count: number };

export type ViewSample = readonly [string, View];
export const sample = (name: string, view: View): ViewSample => [name, view];

export const CHANNEL = channelId('C0OPS');
export const APPROVER = personId('UAPPROVER');

export const repeated = <T>(count: number, make: (at: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, at) => make(at));
