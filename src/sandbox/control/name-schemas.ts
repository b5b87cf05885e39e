/** Who and where: users and channels as the control interface takes them, by name or id. */
import { z } from 'zod';
import type { Workspace } from '../contracts/services.ts';

/** Schemas that know this workspace, so that a wrong name is answered with the right ones. */
export function nameSchemas(workspace: Pick<Workspace, 'users' | 'channels'>) {
  const isUser = (text: string) => isKnown(workspace.users(), text);
  const isChannel = (text: string) =>
    isKnown(workspace.channels(), text) ||
    // A person's direct messages with the bot: `@operator`, or the id of it or of one with several people.
    (text.startsWith('@') ? isUser(text.slice(1)) : /^[DG][A-Z0-9]+$/.test(text));
  const user = z.string().refine(isUser, {
    error: ({ input }) => `${quoteInput(input)} is not a user here; users: ${knownNames(workspace.users())}`,
  });
  const channel = z.string().refine(isChannel, {
    error: ({ input }) =>
      `${quoteInput(input)} is not a channel here; channels: ${knownNames(workspace.channels())}, or @ and a user`,
  });
  return { user, channel };
}

type NamedThing = { readonly id: string; readonly name: string };

function isKnown(known: readonly NamedThing[], text: string): boolean {
  return known.some(({ id, name }) => id === text || name === text);
}

function knownNames(known: readonly NamedThing[]): string {
  return known.map(({ name }) => name).join(', ');
}

function quoteInput(input: unknown): string {
  return JSON.stringify(String(input).slice(0, 60));
}
