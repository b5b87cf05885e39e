/** The filters of `preview`: from what is typed to what the service takes (§2.9). Pure. */
import { z } from 'zod';
import type { DevicePreviewFilter } from '../../fleet/fleet.ts';
import { nearestNamesOrAll } from '../../inventory/nearest-names.ts';
import type { UsageFault } from '../../views/model.ts';
import type { FilterToken } from '../parser/tokenizer.ts';

const PREVIEW_KEYS = ['os', 'version', 'tag', 'ip', 'host', 'ou', 'group'] as const;

export const previewFilter = z.object({
  key: z.enum(PREVIEW_KEYS),
  value: z.string().min(1),
  negated: z.boolean(),
});
export type PreviewFilter = z.infer<typeof previewFilter>;

export type ReadPreviewFilter =
  | { readonly kind: 'filter'; readonly filter: PreviewFilter }
  | { readonly kind: 'fault'; readonly fault: UsageFault };

/** A filter that the service has, or the word named back. */
export function readPreviewFilter({ key: typed, value, negated, text }: FilterToken): ReadPreviewFilter {
  const key = PREVIEW_KEYS.find((known) => known === typed);
  if (key === undefined) {
    const offered = nearestNamesOrAll(typed, PREVIEW_KEYS).map((known) => `${known}:`);
    return { kind: 'fault', fault: { kind: 'unknown-word', word: text, nearest: offered } };
  }
  const bad = (expected: string) =>
    ({ kind: 'fault', fault: { kind: 'bad-value', word: text, expected } }) as const;
  if (value === '') return bad('a value right after the colon');
  if (key === 'version' && !VERSION_ID.test(value)) return bad('an OS version number');
  if (key === 'group' && negated) return bad('a group without “-”');
  return { kind: 'filter', filter: { key, value, negated } };
}

/** Versions are told apart by numbers (§2.9), which the service wants as text. */
export const VERSION_ID = /^[1-9]\d{0,14}$/;

const SERVICE_FIELDS = { tag: 'tag', ip: 'ip_addr', host: 'hostname', ou: 'organizational_unit' } as const;

/** As the service takes them: the values of one key mean any of them, and a negated one none of them. */
export function toServiceFilters(filters: readonly PreviewFilter[]): readonly DevicePreviewFilter[] {
  const clauses = Map.groupBy(filters, ({ key, negated }) => `${negated ? '-' : ''}${key}`);
  return [...clauses.values()].flatMap((clause): readonly DevicePreviewFilter[] => {
    const [first] = clause;
    if (first === undefined || first.key === 'group') return [];
    const values = clause.map(({ value }) => value);
    if (first.key === 'os' || first.key === 'version') {
      const field = first.key === 'os' ? 'os_family' : 'os_version_id';
      return [{ field, op: first.negated ? 'not_in' : 'in', values }];
    }
    return [{ field: SERVICE_FIELDS[first.key], op: first.negated ? 'not_like_any' : 'like_any', values }];
  });
}
