/** Rich text (docs.slack.dev/reference/block-kit/blocks/rich-text-block). No length is documented. */
import { byType, flag, integer, items, number, oneOf, type Rule, type Rules, shape, text } from './rule.ts';

const MANY = 10_000;
const word = text({ max: 255 });
const style = shape(
  {},
  {
    bold: flag,
    italic: flag,
    strike: flag,
    code: flag,
    underline: flag,
    highlight: flag,
    client_highlight: flag,
    unlink: flag,
  },
);
const type = word;
const long = text({ min: 1, max: 40_000 });

const PARTS: Rules = {
  broadcast: shape({ type, range: oneOf('here', 'channel', 'everyone') }, { style }),
  channel: shape({ type, channel_id: word }, { style }),
  color: shape({ type, value: word }, { style }),
  date: shape({ type, timestamp: number, format: word }, { style, url: long, fallback: long }),
  emoji: shape({ type, name: word }, { style, unicode: word, url: long, skin_tone: number }),
  link: shape({ type, url: long }, { style, text: long, unsafe: flag }),
  team: shape({ type, team_id: word }, { style }),
  text: shape({ type, text: long }, { style }),
  user: shape({ type, user_id: word }, { style }),
  usergroup: shape({ type, usergroup_id: word }, { style }),
};
const parts = items(
  byType(() => PARTS),
  { min: 0, max: MANY },
);
const border = integer(0, 1);
const section = shape({ type: oneOf('rich_text_section'), elements: parts });

const RICH: Rules = {
  rich_text_section: section,
  rich_text_list: shape(
    { type, elements: items(section, { max: MANY }), style: oneOf('bullet', 'ordered') },
    { indent: integer(0, 8), offset: integer(0, MANY), border },
  ),
  rich_text_quote: shape({ type, elements: parts }, { border }),
  rich_text_preformatted: shape({ type, elements: parts }, { border, language: word }),
};

export const richText: Rule = shape(
  {
    type: oneOf('rich_text'),
    // An empty list is taken (seen in Slack's own Block Kit Builder).
    elements: items(
      byType(() => RICH),
      { min: 0, max: MANY },
    ),
  },
  { block_id: text({ min: 1, max: 255 }) },
);
