/** Message metadata (docs.slack.dev/messaging/message-metadata). */
import { isJsonObject } from '../core/json-object.ts';
import type { MessageMetadata } from '../state/timeline.ts';

/** The documentation has an error for this but no number; this limit is small on purpose. */
const MAX_CHARACTERS = 8_000;

export type ParsedMetadata =
  | { readonly ok: true; readonly metadata: MessageMetadata | null }
  | { readonly ok: false; readonly error: string };

/**
 * Metadata as sent; an empty object means none. Work objects (docs.slack.dev/messaging/work-objects-implementation) need
 * no event, and are not kept: the page draws none.
 */
export function parseMetadata(value: unknown): ParsedMetadata {
  if (!isJsonObject(value)) return { ok: false, error: 'invalid_metadata_format' };
  if (Object.keys(value).length === 0) return { ok: true, metadata: null };
  const { event_type, event_payload, entities } = value;
  if (Array.isArray(entities) && event_type === undefined && event_payload === undefined)
    return { ok: true, metadata: null };
  if (typeof event_type !== 'string' || event_type === '' || event_type.length > 255)
    return { ok: false, error: 'invalid_metadata_schema' };
  if (!isJsonObject(event_payload)) return { ok: false, error: 'invalid_metadata_schema' };
  if (isTooLarge(value)) return { ok: false, error: 'metadata_too_large' };
  return { ok: true, metadata: { event_type, event_payload } };
}

/** JSON nested too deep to be serialized counts as too large. */
function isTooLarge(value: unknown): boolean {
  try {
    return JSON.stringify(value).length > MAX_CHARACTERS;
  } catch {
    return true;
  }
}
