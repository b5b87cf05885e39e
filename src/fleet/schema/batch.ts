/** The answer to a batch of changes (`POST /servers/batch`), which the live service carries out by and by. */
import { isObject, number, text } from './fields.ts';

/** How far a batch is; null where the service did not say. */
export type Batch = {
  readonly id: string | null;
  readonly total: number | null;
  readonly pending: number | null;
  readonly processed: number | null;
  readonly failed: number | null;
};

/** Null where `body` is no object. */
export function readBatch(body: unknown): Batch | null {
  if (!isObject(body)) return null;
  return {
    id: text(body['id']),
    total: number(body['total_jobs']),
    pending: number(body['pending_jobs']),
    processed: number(body['processed_jobs']),
    failed: number(body['failed_jobs']),
  };
}
