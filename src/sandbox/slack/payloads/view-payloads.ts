/**
 * Payloads for submitting or closing a modal (docs.slack.dev/reference/interaction-payloads/view-interactions-payload).
 */

import { initialStateValues } from '../blocks/element-state.ts';
import { interactiveElements } from '../blocks/find-elements.ts';
import type { WorkspaceCore } from '../core/core.ts';
import type { JsonObject } from '../core/json-object.ts';
import { answeredObject } from '../objects/answered-blocks.ts';
import { viewObject } from '../objects/messages-and-views.ts';
import type { Person } from '../state/directory.ts';
import type { SlackView } from '../state/view-store.ts';
import { payloadHead } from './interaction-payloads.ts';

export function submissionPayload(
  core: WorkspaceCore,
  person: Person,
  view: SlackView,
  triggerId: string,
): JsonObject {
  return {
    type: 'view_submission',
    ...payloadHead(core, person),
    trigger_id: triggerId,
    view: viewObject(core, view),
    response_urls: viewResponseUrls(core, person, view),
  };
}

const WITH_URLS = ['channels_select', 'conversations_select'];

/** One for each chosen conversation whose select asks for it (docs.slack.dev/surfaces/modals#response-url). */
function viewResponseUrls(core: WorkspaceCore, person: Person, view: SlackView): readonly JsonObject[] {
  const values = initialStateValues(view.blocks, core.enteredValues.entered(person.id, view.id));
  return interactiveElements(view.blocks)
    .filter(({ inInput, element }) => inInput && element['response_url_enabled'] === true)
    .filter(({ element }) => WITH_URLS.some((type) => type === element['type']))
    .flatMap(({ blockId, actionId }) => {
      const entry = values[blockId]?.[actionId];
      const channel = entry?.['selected_channel'] ?? entry?.['selected_conversation'];
      if (typeof channel !== 'string') return [];
      const right = { kind: 'app', channel, user: person.id, original: null } as const;
      const response_url = core.responseUrls.mint(right);
      return [{ block_id: blockId, action_id: actionId, channel_id: channel, response_url }];
    });
}

/** "Excluding any input blocks", unlike a submission (the same page). */
export function closedPayload(
  core: WorkspaceCore,
  person: Person,
  view: SlackView,
  isCleared: boolean,
): JsonObject {
  const others = view.blocks.filter(({ type }) => type !== 'input');
  const values = initialStateValues(others, core.enteredValues.entered(person.id, view.id));
  return {
    type: 'view_closed',
    ...payloadHead(core, person),
    view: { ...viewObject(core, view), ...answeredObject({ state: { values } }) },
    is_cleared: isCleared,
  };
}
