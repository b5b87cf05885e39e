/** Receives change events from the sandbox. The browser reconnects on its own and sends the last event's id. */

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
    // Changes other than messages have no cursor, so those during a disconnection were not announced.
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
