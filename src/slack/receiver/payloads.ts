/** Validates Slack's payloads: only the fields that are used. */
import { z } from 'zod';
import { channelId, isDirectMessage, messageTs, personId } from '../../lib/ids.ts';
import { withEmoji } from '../../lib/text.ts';
import { cardKeyOfBlock } from '../../views/kit/card-metadata.ts';

const commandSchema = z.object({
  user_id: z.string().transform(personId),
  channel_id: z.string().transform(channelId),
  text: z.string().default(''),
  trigger_id: z.string(),
});

const pressSchema = z.object({
  user: z.object({ id: z.string().transform(personId) }),
  channel: z.object({ id: z.string().transform(channelId) }),
  container: z.object({
    message_ts: z.string().transform(messageTs),
    is_ephemeral: z.boolean().default(false),
    thread_ts: z.string().transform(messageTs).optional(),
  }),
  trigger_id: z.string(),
  actions: z
    .tuple([
      z.object({
        action_id: z.string(),
        block_id: z.string().default(''),
        value: z.string().optional(),
        selected_option: z.object({ value: z.string() }).nullish(),
      }),
    ])
    .rest(z.unknown()),
});

/** Kept whole: the chosen option of a form is rendered again with it. */
const option = z.looseObject({ value: z.string() });
export const entrySchema = z.object({
  value: z.string().nullish(),
  selected_option: option.nullish(),
  selected_options: z.array(option).nullish(),
  selected_time: z.string().nullish(),
});

const submissionSchema = z.object({
  user: z.object({ id: z.string().transform(personId) }),
  view: z.object({
    id: z.string(),
    hash: z.string().default(''),
    callback_id: z.string(),
    private_metadata: z.string(),
    previous_view_id: z.string().nullish(),
    root_view_id: z.string().nullish(),
    state: z.object({
      values: z.record(z.string(), z.record(z.string(), entrySchema)),
    }),
  }),
});

const joinedSchema = z.object({
  user: z.string().transform(personId),
  channel: z.string().transform(channelId),
});

export function readSlashCommand(payload: unknown) {
  const { user_id, channel_id, text, trigger_id } = commandSchema.parse(payload);
  // It has no blocks, so that a name of an emoji is read as the emoji.
  return { caller: { person: user_id, channel: channel_id }, text: withEmoji(text), triggerId: trigger_id };
}

export type ButtonPress = Readonly<ReturnType<typeof readPress>>;

export function readPress(payload: unknown) {
  const { user, channel, container, trigger_id, actions } = pressSchema.parse(payload);
  const [{ action_id, block_id, value, selected_option }] = actions;
  const card = cardKeyOfBlock(block_id);
  // The first message of a thread belongs to the channel.
  const thread = container.thread_ts === container.message_ts ? undefined : container.thread_ts;
  return {
    caller: { person: user.id, channel: channel.id, thread },
    /** The action id up to its first colon: what the button does. */
    action: action_id.split(':', 1)[0] ?? action_id,
    /** The value of the button, or of the chosen option. */
    value: selected_option?.value ?? value ?? '',
    block: block_id,
    /** The card whose button it was, with the pressed message; null where it was no card. */
    card: card && { card, channel: channel.id, ts: container.message_ts },
    isPrivateMessage: container.is_ephemeral,
    /** On a message in a direct message: an answer, or a card that no channel accepted. */
    isDirectMessage: !container.is_ephemeral && isDirectMessage(channel.id),
    /** Identifies this press: a repeated delivery has the same. */
    triggerId: trigger_id,
  };
}

export function enteredValues(entry: z.output<typeof entrySchema>): readonly string[] {
  const one = entry.selected_option?.value ?? entry.selected_time ?? entry.value ?? '';
  return [...(one === '' ? [] : [one]), ...(entry.selected_options ?? []).map((chosen) => chosen.value)];
}

/** A submitted form: the text of each input, and all that is entered in each, by its block. */
export function readSubmission(payload: unknown) {
  const { user, view } = submissionSchema.parse(payload);
  const inputs = new Map<string, string>();
  const chosen = new Map<string, readonly string[]>();
  for (const [block, elements] of Object.entries(view.state.values)) {
    for (const entry of Object.values(elements)) {
      inputs.set(block, entry.value ?? '');
      chosen.set(block, enteredValues(entry));
    }
  }
  const depth = viewDepth(view);
  return {
    person: user.id,
    viewId: view.id,
    hash: view.hash,
    form: view.callback_id,
    subject: view.private_metadata,
    inputs,
    chosen,
    depth,
  };
}

type ViewStackIds = {
  readonly previous_view_id?: string | null | undefined;
  readonly root_view_id?: string | null | undefined;
};

/** How many windows are stacked, including this one: at most three (docs.slack.dev/surfaces/modals). */
export function viewDepth({ previous_view_id, root_view_id }: ViewStackIds): number {
  if (previous_view_id === null || previous_view_id === undefined) return 1;
  return previous_view_id === root_view_id ? 2 : 3;
}

export function readChannelJoined(payload: unknown) {
  return joinedSchema.parse(payload);
}
