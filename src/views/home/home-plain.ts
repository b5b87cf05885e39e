/** The Home as plain sections, for when Slack rejects its blocks. */
import { textsOf } from '../kit/block-text.ts';
import { section } from '../kit/blocks.ts';
import { joinMrkdwn, type Mrkdwn, md } from '../kit/escape.ts';
import { LIMIT } from '../kit/limits.ts';
import type { Block } from '../models/rendered-model.ts';
import type { HomeTab } from './home-tab.ts';

const SIMPLIFIED_NOTE = md`Slack rejected this page, so it’s shown without buttons. Patchbay tries again when something changes or you open it.`;

/** The texts of all blocks in order. Blocks without text, such as buttons and dividers, are left out. */
export function simplifiedHome({ blocks, ...tab }: HomeTab): HomeTab {
  const sections = blocks.flatMap(sectionsOf).slice(0, LIMIT.homeBlocks - 1);
  return { ...tab, blocks: [section(SIMPLIFIED_NOTE), ...sections] };
}

function sectionsOf(block: Block): readonly Block[] {
  const texts = textsOf(block);
  return texts.length === 0 ? [] : joinedSections(texts);
}

/** Packs as many texts into a section as fit. */
function joinedSections(texts: readonly Mrkdwn[]): readonly Block[] {
  const packs: Mrkdwn[][] = [];
  let length = Number.POSITIVE_INFINITY;
  for (const text of texts) {
    length += text.length + 1;
    if (length > LIMIT.sectionText) {
      packs.push([]);
      length = text.length;
    }
    packs.at(-1)?.push(text);
  }
  return packs.map((pack) => section(joinMrkdwn(pack, '\n')));
}
