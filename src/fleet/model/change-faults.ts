/** Why a change cannot be sent: found before anything was sent. Texts that people typed are cut. */
import { z } from 'zod';
import type { Stored } from '../../lib/record-fields.ts';
import { editedField } from './changes.ts';

const hiddenField = z.enum([
  'device-group',
  'device-exception',
  'device-tags',
  'device-name',
  'group-name',
  'group-refresh-interval',
  'group-parent',
  'policy-configuration',
]);
export type HiddenField = Stored<typeof hiddenField>;

export const changeFault = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('nothing-named'), what: z.enum(['change', 'package', 'tag']) }),
  z.object({ kind: z.literal('package-name'), name: z.string() }),
  z.object({ kind: z.literal('tag-both-ways'), tag: z.string() }),
  z.object({ kind: z.literal('no-address'), address: z.string() }),
  z.object({
    kind: z.enum(['blank-tag', 'blank-group-name', 'group-color', 'wsus-not-forced', 'wsus-address']),
  }),
  z.object({ kind: z.enum(['group-below-itself', 'default-group', 'no-more-batches']) }),
  z.object({ kind: z.literal('refresh-interval'), least: z.number(), most: z.number() }),
  /** The service would not take the value. */
  z.object({ kind: z.literal('policy-field'), field: editedField }),
  /** The service does not show it, so that sending the rest could remove it. */
  z.object({ kind: z.literal('not-shown'), what: hiddenField }),
]);
export type ChangeFault = Stored<typeof changeFault>;

/** Of a text that somebody typed. */
export const MAX_FAULT_TEXT = 80;
