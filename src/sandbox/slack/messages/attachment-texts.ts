/** The texts of secondary attachments (docs.slack.dev/legacy/legacy-messaging/legacy-secondary-message-attachments). */
import { asList, type JsonObject } from '../core/json-object.ts';

/** The attachment with the texts changed that may have markup; `mrkdwn_in` of the page names them. */
export function withAttachmentTexts(attachment: JsonObject, change: (text: string) => string): JsonObject {
  const { fields } = attachment;
  return {
    ...withTexts(attachment, ['pretext', 'text'], change),
    ...(Array.isArray(fields)
      ? { fields: asList(fields).map((field) => withTexts(field, ['value'], change)) }
      : {}),
  };
}

function withTexts(
  object: JsonObject,
  names: readonly string[],
  change: (text: string) => string,
): JsonObject {
  const texts = Object.entries(object).flatMap(([name, value]): [string, string][] =>
    names.includes(name) && typeof value === 'string' ? [[name, change(value)]] : [],
  );
  return { ...object, ...Object.fromEntries(texts) };
}
