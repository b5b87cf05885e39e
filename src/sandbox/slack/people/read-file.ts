/** The content of files for people. */
import type { FileContent } from '../../contracts/services.ts';
import type { WorkspaceCore } from '../core/core.ts';
import { canRead } from '../state/directory.ts';
import type { StoredFile } from '../state/file-store.ts';
import { slackFiles } from '../validate/slack-files.ts';
import { visibleFile } from './files-seen.ts';
import { isVisible } from './send-message.ts';

/** The content of a file that was shared, or is a picture in blocks, where this person may read; otherwise null. */
export function readFile(
  core: WorkspaceCore,
  input: { readonly user: string; readonly id: string },
): FileContent | null {
  const person = core.directory.person(input.user);
  const file = core.files.get(input.id);
  if (!person || !file?.bytes) return null;
  const isSeen = isShared(core, file, person.id) || isInBlocks(core, file, person.id);
  return isSeen ? { ...visibleFile(file), bytes: file.bytes } : null;
}

function isShared({ directory, timeline }: WorkspaceCore, { shares }: StoredFile, person: string): boolean {
  return shares.some(({ channel, ts }) => {
    const location = directory.channel(channel);
    return location !== undefined && canRead(location, person) && timeline.get(channel, ts) !== undefined;
  });
}

/**
 * A picture in blocks need not be shared: only “the user posting these blocks must have access to this file”
 * (docs.slack.dev/reference/block-kit/composition-objects/slack-file-object).
 */
function isInBlocks(core: WorkspaceCore, file: StoredFile, person: string): boolean {
  const { directory, timeline, views } = core;
  const hasIt = (blocks: unknown) => slackFiles(blocks).some(({ id }) => id === file.id);
  return (
    hasIt([...views.stack(person), views.home(person)].map((view) => view?.blocks)) ||
    directory
      .conversations()
      .filter((each) => canRead(each, person))
      .flatMap(({ id }) => timeline.all(id))
      .some((message) => isVisible(core, message, person) && hasIt([message.blocks, message.attachments]))
  );
}
