/**
 * Undoes what Slack does to typed text on its way (slash commands with `should_escape`): links, mentions and
 * channels come wrapped in angle brackets, and `& < >` come escaped.
 */
import { slashCommands } from '../../lib/slash-commands.ts';

/** `<!channel>` and its like stay as they are: Slack does not make them of typed text, but a device may be so named. */
const WRAPPED = /<((?:@|#|https?:|mailto:|tel:)[^<>|]*)(?:\|([^<>|]*))?>/gi;
const ENTITY = /&(amp|lt|gt);/g;
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>' };

/** A link pasted with its brackets arrives with these escaped, which is undone as well. */
export function unwrapSlackText(text: string): string {
  return text
    .replace(ENTITY, (entity, name: string) => ENTITIES[name] ?? entity)
    .replace(WRAPPED, (_whole, target: string, label: string | undefined) =>
      linkAsTyped(target, label ?? ''),
    );
}

function linkAsTyped(target: string, label: string): string {
  const sigil = target.startsWith('@') || target.startsWith('#') ? target.slice(0, 1) : '';
  if (label === '') return target.replace(/^(?:mailto|tel):/i, '');
  return label.startsWith(sigil) ? label : `${sigil}${label}`;
}

/**
 * The command in a message to the bot, without the root command. In a channel it must begin with the mention, since a
 * message that only talks about the bot is no command. Empty where there is no command.
 */
export function mentionedCommand(text: string, to: MentionContext): string {
  const mention = new RegExp(`^\\s*<@${to.botUserId}(?:\\|[^<>]*)?>[\\s:,]*`);
  if (!to.isDirect && !mention.test(text)) return '';
  return withoutSlash(withoutCodeFormatting(text.replace(mention, '').trim()), to.root);
}

type MentionContext = {
  readonly botUserId: string;
  /** Whether the message can only be meant for the bot, as in a direct message. */
  readonly isDirect: boolean;
  readonly root: string;
};

/** Removes the code marks of a line copied from a help text. */
function withoutCodeFormatting(text: string): string {
  return /^(`{1,3})([^`]*)\1$/.exec(text)?.[2]?.trim() ?? text;
}

/** Removes a slash command that was typed out of habit. */
function withoutSlash(text: string, root: string): string {
  const [, first = '', rest = ''] = /^(\S*)(.*)$/s.exec(text) ?? [];
  const known = slashCommands(root).find(({ slash }) => slash === first.toLowerCase());
  return known === undefined ? text : withSubcommand(known.subcommand, rest.trim());
}

/** The text after a slash command, as it would follow the root command. */
export function withSubcommand(subcommand: string | null, text: string): string {
  return subcommand === null ? text : `${subcommand} ${text}`;
}

const GREETINGS =
  /^(?:hi|hiya|hello|hey|howdy|yo|good (?:morning|afternoon|evening)|thanks|thank you|thx|ty|cheers)(?: (?:there|all|team|a lot|so much|patchbay))?[\s.!,:)]*$/i;

export function isGreeting(line: string): boolean {
  return GREETINGS.test(line.trim());
}
