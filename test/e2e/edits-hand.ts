/** Edits that are asked for and approved, and the thing as the service has it afterwards. */
import type { Card, Town } from './town.ts';

export const DEVICE = '/servers/4001';

/** The town is read anew each time: it starts after the tests were declared. */
export function createEdits(town: () => Town) {
  const asked = async (text: string, name: string): Promise<Card> => {
    await town().asks('operator', text);
    return town().card('approvals', (card) => card.text.includes(name), `the request for ${name}`);
  };
  const approved = async (text: string, name: string, state = 'verified'): Promise<Card> => {
    const card = await asked(text, name);
    await town().push('approver', card, 'approve');
    return town().becomes(card, state);
  };
  const cardNow = (card: Card) => town().card(card.channel, ({ ts }) => ts === card.ts);
  /** The thing as the service has it. */
  const read = async (path: string): Promise<Readonly<Record<string, unknown>>> => {
    const { management, organization } = await town().state();
    const headers = { authorization: `Bearer ${management.apiKey}` };
    const answer = await fetch(`${management.baseUrl}${path}?o=${organization.id}`, { headers });
    return (await answer.json()) as Readonly<Record<string, unknown>>; // as the sandbox has it
  };
  const groupsNamed = async (name: string) => {
    const { management, organization } = await town().state();
    const headers = { authorization: `Bearer ${management.apiKey}` };
    const query = `o=${organization.id}&limit=500&page=0`;
    const answer = await fetch(`${management.baseUrl}/servergroups?${query}`, { headers });
    const all = (await answer.json()) as readonly { readonly id: number; readonly name: string }[];
    return all.filter((group) => group.name === name);
  };
  /** Requests that edited something, without commands to devices. */
  const edits = async () => (await town().writes()).filter((write) => !write.includes('/queues'));
  return { asked, approved, cardNow, read, groupsNamed, edits };
}
