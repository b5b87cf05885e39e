/** Receives change events from the sandbox. The browser reconnects on its own and sends the last event's id. */

/** `channels`: ids; null where nobody knows which. */
type ChangeEvent = { channels: readonly string[] | null; others: boolean };

type ChangeListeners = {
  readonly onChange: (change: ChangeEvent) => void;
  readonly onConnection: (connected: boolean) => void;
};

export function listenForChanges({ onChange, onConnection }: ChangeListeners) {
  const source = new EventSource('/sandbox/changes');
  source.addEventListener('change', ({ data }) => onChange(changeIn(data)));
  source.addEventListener('open', () => {
    onConnection(true);
    // Changes other than messages have no cursor, so those during a disconnection were not announced.
    onChange({ channels: [], others: true });
  });
  source.addEventListener('error', () => onConnection(false));
}

function changeIn(data: string): ChangeEvent {
  if (data === '') return { channels: null, others: true };
  return JSON.parse(data);
}
