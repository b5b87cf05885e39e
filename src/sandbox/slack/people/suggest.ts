/** A person types into a select whose options come from the bot. */
import type { Answer, SuggestOrder } from '../../contracts.ts';
import type { Core } from '../core.ts';
import type { Deliver } from '../delivery/delivery.ts';
import { type Fields, listOf } from '../json.ts';
import { suggestionPayload } from '../payloads.ts';
import { menuOptions, optionGroups } from '../validate/composition.ts';
import { elementOf, failed, surfaceKey, surfaceOf } from './found.ts';

export type Suggested = Answer & { readonly options?: readonly Fields[] };

/** From how many characters on the bot is asked, unless the element says otherwise. */
const USUAL_QUERY_LENGTH = 3;
const EXTERNAL = ['external_select', 'multi_external_select'];

export async function suggestOptions(core: Core, deliver: Deliver, order: SuggestOrder): Promise<Suggested> {
  const place = surfaceOf(core, order);
  if (!place.ok) return place;
  const { person, surface } = place;
  const found = elementOf(surface, order);
  if (!found || !EXTERNAL.some((type) => type === found.element['type'])) return failed('unknown_element');
  const shortest = found.element['min_query_length'] ?? USUAL_QUERY_LENGTH;
  if (order.value.length < Number(shortest)) return { ok: true, options: [] };
  const payload = suggestionPayload(core, { person, surface, found, value: order.value });
  const outcome = await deliver({ kind: 'interactive', payload });
  if (outcome.kind === 'failed') return failed(outcome.error);
  const options = readOptions(outcome.body);
  if (!options) return failed('invalid_options');
  core.inputs.offer(person.id, surfaceKey(surface), found, options);
  return { ok: true, options };
}

/** Options, those of groups one after another; undefined when Slack would show none of them. */
function readOptions(body: Fields): readonly Fields[] | undefined {
  const { options, option_groups } = body;
  if (option_groups !== undefined) {
    if (optionGroups(option_groups, '/option_groups').length > 0) return undefined;
    return listOf(option_groups).flatMap((group) => listOf(group['options']));
  }
  if (Array.isArray(options) && options.length === 0) return [];
  return menuOptions(options, '/options').length > 0 ? undefined : listOf(options);
}
