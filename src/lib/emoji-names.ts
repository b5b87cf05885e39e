/**
 * Emoji in place of the names that Slack gives them: it "will convert the emoji into their common colon format"
 * (docs.slack.dev/messaging/formatting-message-text), also in a slash command, where nothing tells such a name from one that
 * was typed as it is.
 */
import names from 'emoji-name-map/lib/datasource.json' with { type: 'json' };

const NAMED = /:([\w+'-]+):(?::skin-tone-([2-6]):)?/g;
/** Also a part of a hardware or network address. */
const HEXADECIMAL = /^[\da-f]+$/i;
/** The key of a filter, whose colon is its own. */
const KEY = /(?:^|\s)-?[a-z][a-z_-]*$/i;
/** Of skin tones as Slack counts them, from 2. */
const MODIFIERS = ['🏻', '🏼', '🏽', '🏾', '🏿'];

const EMOJI: Readonly<Record<string, string>> = names;

/** The text with emoji in place of their names; all else stays as it is, also an emoji of the workspace. */
export function withEmoji(text: string): string {
  return text.replace(NAMED, (whole: string, name: string, tone: string | undefined, at: number) => {
    const before = text.slice(0, at);
    const isOther = KEY.test(before) || (HEXADECIMAL.test(name) && /[\w:]$/.test(before));
    const emoji = !isOther && Object.hasOwn(EMOJI, name) ? EMOJI[name] : undefined;
    return emoji === undefined ? whole : `${emoji}${MODIFIERS[Number(tone) - 2] ?? ''}`;
  });
}
