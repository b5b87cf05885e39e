/** Scrolls to a message as soon as its pane shows it. */

type RevealOptions = {
  readonly find: (ts: string) => Element | null;
  /** The reader looks at something else than the newest message. */
  readonly leaveEnd: () => void;
  /** The message is not among those that were read. */
  readonly onMissing?: () => void;
};

export function createReveal({ find, leaveEnd, onMissing = () => undefined }: RevealOptions) {
  let requestedTs: string | null = null;
  /** Called after every change of the pane. */
  const showRequested = () => {
    if (requestedTs === null) return;
    const node = find(requestedTs);
    if (!node) return onMissing();
    requestedTs = null;
    leaveEnd();
    node.scrollIntoView({ block: 'center' });
    node.classList.add('flash');
  };
  const reveal = (ts: string) => {
    requestedTs = ts;
    showRequested();
  };
  return { reveal, showRequested };
}
