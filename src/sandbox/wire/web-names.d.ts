/** Two names of browsers that the type files of hono use; without them the compiler cannot check those files. */
type BinaryType = 'arraybuffer' | 'blob';
interface MessageEvent<T = unknown> {
  readonly data: T;
}
