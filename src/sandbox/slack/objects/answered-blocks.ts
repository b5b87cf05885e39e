/** The content of messages and views as Slack gives it back, which differs from what was sent. */
import { asList, isJsonObject, type JsonObject } from '../core/json-object.ts';
import { toRichText } from '../messages/typed-text.ts';
import type { Message } from '../state/timeline.ts';
import { withEmojiNames } from './emoji-names.ts';

/**
 * Text objects and input blocks have their defaults; texts have names for emoji (docs.slack.dev/reference/block-kit/composition-objects/text-object; MercuryTechnologies/slack-web,
 * tests/golden/SlackWebhookEvent/circleci.json).
 */
export function answeredBlocks(message: Message): readonly JsonObject[] {
  const { blocks } = message;
  return blocks.length > 0 ? blocks.map(answeredObject) : blocksOfText(message);
}

/**
 * An app's message of blocks alone says so
 * (docs.slack.dev/reference/interaction-payloads/block_actions-payload, its example).
 */
export function answeredText({ bot, text, blocks }: Message): string {
  return bot && text === '' && blocks.length > 0 ? "This content can't be displayed." : withEmojiNames(text);
}

/** Text alone becomes a block of rich text (slack-web, tests/golden/UpdateRsp/actual.json). */
function blocksOfText({ ts, text, files = [] }: Message): readonly JsonObject[] {
  const isTextAlone = text !== '' && files.length === 0;
  return isTextAlone ? [toRichText(withEmojiNames(text), `t${ts.replace('.', '')}`)] : [];
}

/** What a link shows; without a fallback it says that there is none (slackapi/java-slack-sdk, BlockActionPayloadTest). */
export function answeredAttachment(attachment: JsonObject): JsonObject {
  const { blocks } = attachment;
  return {
    fallback: '[no preview available]',
    ...attachment,
    ...(blocks === undefined ? {} : { blocks: asList(blocks).map(answeredObject) }),
  };
}

/** docs.slack.dev/reference/interaction-payloads/block_suggestion-payload, its example. */
const INPUT_DEFAULTS = { optional: false, dispatch_action: false };

function answered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(answered);
  return isJsonObject(value) ? answeredObject(value) : value;
}

/** The content of an object that was sent, as Slack gives it back. */
export function answeredObject(object: JsonObject): JsonObject {
  const { type, text } = object;
  if (type === 'rich_text') return object;
  if (typeof text !== 'string' || (type !== 'plain_text' && type !== 'mrkdwn')) {
    const content = Object.fromEntries(
      Object.entries(object).map(([name, value]) => [name, answered(value)]),
    );
    return type === 'input' ? { ...INPUT_DEFAULTS, ...content } : content;
  }
  if (type === 'mrkdwn') return { verbatim: false, ...object, text: withEmojiNames(text) };
  return { emoji: true, ...object, text: object['emoji'] === false ? text : withEmojiNames(text) };
}
