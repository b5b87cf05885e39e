/** Text objects of both types, and texts that are folded. */
import { html, useState } from '../preact.ts';
import type { Drawn, TextObject, ViewerContext } from '../types.ts';
import { withEmoji, withSigns } from './emoji.ts';
import { decoded, renderMrkdwn } from './mrkdwn.ts';

/**
 * The content of a plain text: entities decoded (Slack keeps texts escaped), emoji as characters unless switched off.
 */
export function renderPlainText(text: TextObject | string | null | undefined) {
  if (text === null || text === undefined) return '';
  if (typeof text === 'string') return withEmoji(decoded(text));
  return text.emoji === false ? decoded(text.text) : withEmoji(decoded(text.text));
}

/** The same with signs as pictures. */
export const plainNode = (text: TextObject | string | null | undefined) => withSigns(renderPlainText(text));

/** A text object of either type. */
export const renderText = (text: TextObject, reader: ViewerContext) =>
  text.type === 'mrkdwn' ? renderMrkdwn(text.text, reader) : plainNode(text);

/** Slack does not publish when it folds a message; these limits are close to what its client was seen to do. */
const MAX_LETTERS = 700;
const MAX_LINES = 14;

/** Folds what is longer than that behind “Show more”; `text` is what it was drawn from. */
export function Collapsible({ text, drawn }: { text: string; drawn: Drawn }) {
  const [isFolded, setFolded] = useState(true);
  if (text.length <= MAX_LETTERS && text.split('\n').length <= MAX_LINES) return drawn;
  const turn = () => setFolded(!isFolded);
  return html`
    <div class="fold" data-folded=${isFolded ? '' : undefined}>
      ${drawn}
      <button type="button" class="fold-button" aria-expanded=${!isFolded} onClick=${turn}>
        ${isFolded ? 'Show more' : 'Show less'}
      </button>
    </div>`;
}
