/** Cursors: opaque to callers; inside, the position of the next item, as in the examples of Slack's pages. */
import type { CallArguments } from './arguments.ts';
import type { Lookup } from './method.ts';
import { errorReply } from './replies.ts';

export type CursorPage<T> = { readonly items: readonly T[]; readonly next: string };
type PagingOptions<T> = {
  /** A mark of an item's position, unique among the items. */
  readonly mark: (item: T) => string;
  readonly usual: number;
  readonly most: number;
  /** A wrong limit is an error: the page of the method lists `invalid_limit`. */
  readonly strict?: boolean;
};

/**
 * The page that `limit` and `cursor` select. "Invalid limit values are currently magically adjusted to something sensible"
 * (docs.slack.dev/apis/web-api/pagination).
 */
export function cursorPage<T>(
  all: readonly T[],
  args: CallArguments,
  { mark, usual, most, strict = false }: PagingOptions<T>,
): Lookup<CursorPage<T>> {
  const limit = args.number('limit') ?? usual;
  const isValid = Number.isInteger(limit) && limit >= 0 && limit <= most;
  if (!isValid && strict) return errorReply('invalid_limit');
  const size = isValid && limit > 0 ? limit : limit > most ? most : usual;
  const cursor = args.text('cursor');
  const start = cursor === undefined ? 0 : all.findIndex((item) => encode(mark(item)) === cursor);
  if (start < 0) return errorReply('invalid_cursor');
  const items = all.slice(start, start + size);
  const following = all[start + size];
  return { ok: true, value: { items, next: following === undefined ? '' : encode(mark(following)) } };
}

function encode(mark: string): string {
  return Buffer.from(mark).toString('base64');
}
