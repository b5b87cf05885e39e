/** Edits that are requested and approved, and the result as the service has it. */
import type { PostedCard, SandboxPeople } from '../harness/sandbox-people.ts';

export const EDITED_DEVICE = '/servers/4001';

/** `people` is read at each use: the sandbox starts after the tests were declared. */
export function createEditsHarness(people: () => SandboxPeople) {
  const requests = async (text: string, name: string): Promise<PostedCard> => {
    await people().runs('operator', text);
    return people().card('approvals', (card) => card.text.includes(name), `the request for ${name}`);
  };
  const approved = async (text: string, name: string, state = 'verified'): Promise<PostedCard> => {
    const card = await requests(text, name);
    await people().push('approver', card, 'approve');
    return people().becomes(card, state);
  };
  const cardNow = (card: PostedCard) => people().card(card.channel, ({ ts }) => ts === card.ts);
  const read = async (path: string): Promise<Readonly<Record<string, unknown>>> => {
    const { management, organization } = await people().state();
    const headers = { authorization: `Bearer ${management.apiKey}` };
    const answer = await fetch(`${management.baseUrl}${path}?o=${organization.id}`, { headers });
    return (await answer.json()) as Readonly<Record<string, unknown>>; // as the sandbox returns it
  };
  const listed = async (path: string, name: string) => {
    const { management, organization } = await people().state();
    const headers = { authorization: `Bearer ${management.apiKey}` };
    const query = `o=${organization.id}&limit=500&page=0`;
    const answer = await fetch(`${management.baseUrl}${path}?${query}`, { headers });
    const all = (await answer.json()) as readonly { readonly id: number; readonly name: string }[];
    return all.filter((one) => one.name === name);
  };
  const groupsNamed = (name: string) => listed('/servergroups', name);
  const policiesNamed = (name: string) => listed('/policies', name);
  /** Requests that edited something, without commands to devices. */
  const edits = async () => (await people().writes()).filter((write) => !write.includes('/queues'));
  return { asked: requests, approved, cardNow, read, groupsNamed, policiesNamed, edits };
}
