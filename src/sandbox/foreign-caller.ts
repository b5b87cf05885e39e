/**
 * Only programs on this machine and the sandbox's own page may use its servers. A foreign web page in the same browser
 * may not, neither with its own requests nor through a host name that resolves to this machine.
 */

const LOOPBACK = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/i;

/** Why a request with these headers is refused; null where it is welcome. Pure. */
export function foreignCaller(host: string | undefined, origin: string | undefined): string | null {
  const name = host ?? '';
  if (!LOOPBACK.test(name)) return 'the sandbox answers on 127.0.0.1 and localhost only';
  if (origin !== undefined && origin.toLowerCase() !== `http://${name.toLowerCase()}`)
    return 'the sandbox rejects requests from other sites';
  return null;
}
