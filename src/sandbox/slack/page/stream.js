/** Hears from the sandbox that something changed; what changed is then read. */

/**
 * @param {{onChange: () => void, onConnection: (connected: boolean) => void}} listeners
 * @returns {{close: () => void}}
 */
export function listen({ onChange, onConnection }) {
  const source = new EventSource('/sandbox/changes');
  source.addEventListener('change', onChange);
  source.addEventListener('open', () => {
    onConnection(true);
    // Whatever changed while the line was down was not announced.
    onChange();
  });
  source.addEventListener('error', () => onConnection(false));
  return { close: () => source.close() };
}
