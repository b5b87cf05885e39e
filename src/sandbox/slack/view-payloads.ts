/** What the bot is told when a person submits or closes a modal (docs.slack.dev/reference/interaction-payloads/view-interactions-payload). */
import { elementsOf } from './blocks/elements.ts';
import { formState } from './blocks/entries.ts';
import type { Core } from './core.ts';
import type { Fields } from './json.ts';
import { viewObject } from './objects.ts';
import { head } from './payloads.ts';
import type { Person } from './state/directory.ts';
import type { View } from './state/views.ts';

export function submissionPayload(core: Core, person: Person, view: View, triggerId: string): Fields {
  return {
    type: 'view_submission',
    ...head(core, person),
    trigger_id: triggerId,
    view: viewObject(core, view),
    response_urls: viewResponseUrls(core, person, view),
  };
}

const WITH_URLS = ['channels_select', 'conversations_select'];

/** One for each chosen conversation whose select asks for it (docs.slack.dev/surfaces/modals#response-url). */
function viewResponseUrls(core: Core, person: Person, view: View): readonly Fields[] {
  const values = formState(view.blocks, core.inputs.entered(person.id, view.id));
  return elementsOf(view.blocks)
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

export function closedPayload(core: Core, person: Person, view: View, isCleared: boolean): Fields {
  return {
    type: 'view_closed',
    ...head(core, person),
    view: viewObject(core, view),
    is_cleared: isCleared,
  };
}
