/** The bytes of an answer as text, limited before and after decompression. */
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';

export type ResponseBody =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'too-large' }
  /** Compressed in an unsupported way, or cut off inside the compressed data. */
  | { readonly kind: 'undecodable' };

const unzip = promisify(gunzip);

/** Reads `chunks` up to `limit` bytes; leaving the loop early drops the connection. Network failures throw. */
export async function readResponseBody(
  chunks: AsyncIterable<Uint8Array>,
  encoding: string | null,
  limit: number,
): Promise<ResponseBody> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.byteLength;
    if (size > limit) return { kind: 'too-large' };
    parts.push(chunk);
  }
  return decode(Buffer.concat(parts, size), encoding?.trim().toLowerCase() ?? null, limit);
}

async function decode(bytes: Buffer, encoding: string | null, limit: number): Promise<ResponseBody> {
  if (encoding === null || encoding === 'identity' || bytes.byteLength === 0) return decodeText(bytes);
  if (encoding !== 'gzip' && encoding !== 'x-gzip') return { kind: 'undecodable' };
  try {
    return decodeText(await unzip(bytes, { maxOutputLength: limit }));
  } catch (error) {
    const tooLarge = error instanceof RangeError && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
    return { kind: tooLarge ? 'too-large' : 'undecodable' };
  }
}

function decodeText(bytes: Buffer): ResponseBody {
  // A byte order mark is not part of the text, and JSON.parse refuses it.
  const marked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return { kind: 'text', text: bytes.toString('utf8', marked ? 3 : 0) };
}
