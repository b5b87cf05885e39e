/** Hears from the sandbox what has changed. The browser comes back by itself, and says what it heard last. */

/** @typedef {{channels: readonly string[] | null, others: boolean}} ChangeEvent `channels`: ids; null where nobody knows which */

/**
 * @param {{onChange: (change: ChangeEvent) => void, onConnection: (connected: boolean) => void}} listeners
 * @returns {{close: () => void}}
 */
export function listenForChanges({ onChange, onConnection }) {
  const source = new EventSource('/sandbox/changes');
  source.addEventListener('change', ({ data }) => onChange(changeIn(data)));
  source.addEventListener('open', () => {
    onConnection(true);
    // What is no message has no cursor: whatever of it changed while the line was down was not announced.
    onChange({ channels: [], others: true });
  });
  source.addEventListener('error', () => onConnection(false));
  return { close: () => source.close() };
}

/** @param {string} data @returns {ChangeEvent} */
function changeIn(data) {
  if (data === '') return { channels: null, others: true };
  return JSON.parse(data);
}
