/** Users and channels in control requests, by name or id. */
import { z } from 'zod';
import type { Workspace } from '../contracts/services.ts';

/** Schemas of this workspace, whose errors list the valid names. */
export function nameSchemas(workspace: Pick<Workspace, 'users' | 'channels'>) {
  const isUser = (text: string) => isKnown(workspace.users(), text);
  const isChannel = (text: string) =>
    isKnown(workspace.channels(), text) ||
    // Direct messages with the bot: `@operator`, or the id of one with one or several people.
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
