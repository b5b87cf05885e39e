/** A person's conversations: listing them, joining a channel, and starting a group direct message. */
import type {
  ControlAnswer,
  Conversation,
  JoinInput,
  OpenConversationInput,
} from '../../contracts/services.ts';
import type { WorkspaceCore } from '../core/core.ts';
import { errorAnswer, personInChannel } from './find-targets.ts';

/** Maximum of people in a direct message (docs.slack.dev/reference/methods/conversations.open). */
const MAX_PEOPLE = 8;

/** Public channels in use, then this person's direct messages; the one with the bot is always included. */
export function conversationsOf({ app, directory }: WorkspaceCore, user: string): readonly Conversation[] {
  const person = directory.person(user);
  if (!person) return [];
  directory.direct(person);
  const all = directory.conversations();
  const visible = all.filter(
    ({ kind, archived, members }) => !archived && (kind === 'public' || members.has(person.id)),
  );
  return visible.map(({ id, name, kind, members }) => ({
    id,
    name,
    kind,
    is_member: members.has(person.id),
    with_bot: members.has(app.botUser),
    people:
      kind === 'public' ? [] : [...members].filter((each) => each !== person.id && each !== app.botUser),
  }));
}

/** A person joins a public channel; the bot gets an event if it is a member. */
export function joinChannel(core: WorkspaceCore, input: JoinInput): ControlAnswer {
  const location = personInChannel(core, input);
  if (!location.ok) return location;
  const { person, channel } = location;
  if (channel.kind !== 'public') return errorAnswer('method_not_supported_for_channel_type');
  if (channel.archived) return errorAnswer('is_archived');
  if (channel.members.has(person.id)) return errorAnswer('already_in_channel');
  core.directory.join(channel.id, person.id);
  core.changed();
  if (!channel.members.has(core.app.botUser)) return { ok: true };
  core.announce('member_joined_channel', {
    type: 'member_joined_channel',
    user: person.id,
    channel: channel.id,
    channel_type: 'C',
    team: core.app.teamId,
    event_ts: core.ids.ts(),
  });
  return { ok: true };
}

/** The direct message of a person with others and the bot: the existing one, or a new one. */
export function openGroupDirect(
  core: WorkspaceCore,
  { user, people }: OpenConversationInput,
): ControlAnswer & { readonly channel?: string } {
  const { directory } = core;
  const found = [user, ...people].map(directory.person);
  const known = found.filter((person) => person !== undefined);
  if (known.length < found.length) return errorAnswer('user_not_found');
  const together = [...new Set(known)];
  if (together.length > MAX_PEOPLE) return errorAnswer('too_many_users');
  const [first] = together;
  if (!first) return errorAnswer('user_not_found');
  const opened = together.length === 1 ? directory.direct(first) : directory.openedFor(together);
  const channel = opened ?? directory.openGroup(together, first.id);
  core.changed();
  return { ok: true, channel: channel.id };
}
