/** One entry of `actions` in a block_actions payload (docs.slack.dev/reference/interaction-payloads/block_actions-payload). */

import type { ElementState } from '../blocks/element-state.ts';
import type { ElementInBlocks } from '../blocks/find-elements.ts';
import { asJsonObject, type JsonObject } from '../core/json-object.ts';

/** Texts that an element reports besides its value. */
const FEEDBACK_TEXT: Readonly<Record<string, readonly string[]>> = {
  button: ['text', 'value', 'url', 'style', 'confirm'],
  icon_button: ['icon', 'text', 'value', 'confirm'],
  overflow: ['confirm'],
  checkboxes: ['initial_options', 'confirm'],
  radio_buttons: ['initial_option', 'confirm'],
  datepicker: ['initial_date', 'placeholder', 'confirm'],
  timepicker: ['initial_time', 'placeholder', 'confirm'],
  datetimepicker: ['initial_date_time', 'confirm'],
  static_select: ['initial_option', 'placeholder', 'confirm'],
  external_select: ['initial_option', 'placeholder', 'min_query_length', 'confirm'],
  users_select: ['initial_user', 'placeholder', 'confirm'],
  channels_select: ['initial_channel', 'placeholder', 'confirm'],
  conversations_select: ['initial_conversation', 'placeholder', 'confirm'],
  multi_static_select: ['initial_options', 'placeholder', 'confirm'],
  multi_external_select: ['initial_options', 'placeholder', 'min_query_length', 'confirm'],
  multi_users_select: ['initial_users', 'placeholder', 'confirm'],
  multi_channels_select: ['initial_channels', 'placeholder', 'confirm'],
  multi_conversations_select: ['initial_conversations', 'placeholder', 'confirm'],
};

/** `entry` is null for elements without a value: buttons of all kinds. */
export function blockActionObject(
  { element, actionId, blockId }: ElementInBlocks,
  entry: ElementState | null,
  ts: string,
): JsonObject {
  const type = String(element['type']);
  const names = Object.hasOwn(FEEDBACK_TEXT, type) ? FEEDBACK_TEXT[type] : undefined;
  const said = (names ?? []).filter((name) => element[name] !== undefined);
  return {
    type,
    ...Object.fromEntries(said.map((name) => [name, element[name]])),
    ...entry,
    action_id: actionId,
    block_id: blockId,
    action_ts: ts,
  };
}

/** The feedback button with this value. */
export function feedbackEntry({ element }: ElementInBlocks, value: unknown): ElementState | undefined {
  const buttons = [asJsonObject(element['positive_button']), asJsonObject(element['negative_button'])];
  const pressed = buttons.find((button) => button['value'] !== undefined && button['value'] === value);
  return pressed && { type: 'feedback_buttons', text: pressed['text'], value: pressed['value'] };
}
