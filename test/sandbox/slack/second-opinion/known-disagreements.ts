/**
 * Known differences between the two workspaces, ours before the slash, and which one matches Slack's documentation.
 * `either`: the documentation says that the field may be absent.
 */
export type Disagreement = {
  readonly what: string;
  readonly right: 'ours' | 'theirs' | 'either';
  /** Below https://docs.slack.dev. */
  readonly page: string;
  readonly why: string;
};
type DisagreementVerdict = Omit<Disagreement, 'what'>;

const METHODS = '/reference/methods/';
const HISTORY = `${METHODS}conversations.history`;

/** One verdict for several differences. */
function all(verdict: DisagreementVerdict, whats: readonly string[]): readonly Disagreement[] {
  return whats.map((what) => ({ ...verdict, what }));
}

/** In every answer with messages of the bot. */
function inMessages(verdict: DisagreementVerdict, parts: readonly string[]): readonly Disagreement[] {
  const places = [
    'chat.postMessage: message.',
    'chat.update: message.',
    'conversations.history: messages[].',
    'conversations.history of one page: messages[].',
  ];
  return all(
    verdict,
    places.flatMap((place) => parts.map((part) => `${place}${part}`)),
  );
}

const MESSAGES: readonly Disagreement[] = [
  ...inMessages(
    {
      right: 'ours',
      page: `${METHODS}chat.postMessage`,
      why: 'a message of an app says which app and which bot wrote it, and where it is installed',
    },
    [
      'app_id: string / absent',
      'bot_id: string / absent',
      'bot_profile: object / absent',
      'team: string / absent',
    ],
  ),
  ...all(
    { right: 'ours', page: '/reference/block-kit/blocks', why: 'a block without a block_id is given one' },
    ['chat.postMessage: message', 'chat.update: message'].map(
      (place) => `${place}.blocks[].block_id: string / absent`,
    ),
  ),
  ...inMessages(
    {
      right: 'ours',
      page: `${METHODS}chat.postMessage`,
      why: 'what links do is an argument of the call and no part of the message',
    },
    ['unfurl_links: absent / boolean', 'unfurl_media: absent / boolean'],
  ),
  ...all(
    {
      right: 'ours',
      page: `${METHODS}chat.update`,
      why: 'an update that carries blocks is not marked as edited',
    },
    [
      'chat.update: message.edited: absent / object',
      'conversations.history: messages[].edited: absent / object',
    ],
  ),
];

const PLACES = [
  'conversations.history',
  'conversations.history of one page',
  'conversations.history of the future',
];

const READING: readonly Disagreement[] = [
  ...all(
    { right: 'ours', page: HISTORY, why: 'a page of the history counts pins and actions of the channel' },
    PLACES.flatMap((place) => [
      `${place}: channel_actions_count: number / absent`,
      `${place}: channel_actions_ts: null / absent`,
      `${place}: pin_count: number / absent`,
    ]),
  ),
  ...all({ right: 'ours', page: HISTORY, why: 'the times that were asked for are repeated' }, [
    'conversations.history of the future: oldest: string / absent',
  ]),
  ...all(
    {
      right: 'either',
      page: '/apis/web-api/pagination',
      why: 'after the last page the cursor is empty, null or not there',
    },
    [
      'conversations.history: response_metadata.next_cursor: absent / string',
      'conversations.history of the future: response_metadata.next_cursor: absent / string',
    ],
  ),
  ...all({ right: 'ours', page: HISTORY, why: 'nothing before `oldest` is answered' }, [
    'conversations.history of the future: messages[]: absent / object',
  ]),
  ...all(
    {
      right: 'ours',
      page: '/messaging/message-metadata',
      why: 'without include_all_metadata only the type is answered',
    },
    ['conversations.history of one page: messages[].metadata.event_payload: absent / object'],
  ),
  ...all(
    { right: 'ours', page: '/reference/objects/conversation-object', why: 'a public channel has these' },
    [
      'conversations.info: channel.context_team_id: string / absent',
      'conversations.info: channel.is_ext_shared: boolean / absent',
      'conversations.info: channel.is_general: boolean / absent',
      'conversations.info: channel.is_org_shared: boolean / absent',
      'conversations.info: channel.is_pending_ext_shared: boolean / absent',
      'conversations.info: channel.is_shared: boolean / absent',
      'conversations.info: channel.parent_conversation: null / absent',
      'conversations.info: channel.pending_connected_team_ids: list / absent',
      'conversations.info: channel.pending_shared: list / absent',
      'conversations.info: channel.previous_names: list / absent',
      'conversations.info: channel.shared_team_ids: list / absent',
      'conversations.info: channel.unlinked: number / absent',
      'conversations.info: channel.updated: number / absent',
    ],
  ),
  ...all(
    {
      right: 'either',
      page: '/reference/objects/conversation-object',
      why: 'the example of a public channel has neither, though a client may read them',
    },
    [
      'conversations.info: channel.is_open: absent / boolean',
      'conversations.info: channel.last_read: absent / string',
    ],
  ),
  ...all(
    {
      right: 'ours',
      page: `${METHODS}conversations.info`,
      why: 'members are counted where include_num_members asks for it',
    },
    ['conversations.info: channel.num_members: absent / number'],
  ),
];

const SIGNING_IN: readonly Disagreement[] = [
  ...all(
    {
      right: 'ours',
      page: `${METHODS}bots.info`,
      why: 'a bot has its app, its user, a time and three icons',
    },
    [
      'bots.info: bot.app_id: string / absent',
      'bots.info: bot.icons.image_36: string / absent',
      'bots.info: bot.icons.image_72: string / absent',
      'bots.info: bot.updated: number / absent',
      'bots.info: bot.user_id: string / absent',
    ],
  ),
  ...all(
    {
      right: 'either',
      page: '/tools/node-slack-sdk/reference/web-api/type-aliases/AuthTestResponse',
      why: 'both may be there; the product reads neither',
    },
    ['auth.test: app_id: absent / string', 'auth.test: is_enterprise_install: boolean / absent'],
  ),
  ...all({ right: 'ours', page: `${METHODS}auth.test`, why: 'an unknown token is refused' }, [
    'auth.test with a made-up token: invalid_auth / ok',
  ]),
  ...all({ right: 'ours', page: `${METHODS}apps.connections.open`, why: 'it gives an address' }, [
    'apps.connections.open: ok / http 404',
  ]),
  ...all({ right: 'ours', page: `${METHODS}usergroups.users.list`, why: 'it lists the members' }, [
    'usergroups.users.list: ok / http 404',
  ]),
  ...all(
    {
      right: 'ours',
      page: '/apis/web-api#responses',
      why: 'every answer holds ok, with the word of the error',
    },
    ['fleet.dance: unknown_method / http 404'],
  ),
  ...all(
    {
      right: 'either',
      page: '/reference/views/modal-views',
      why: 'the pages do not agree on whether a view has it',
    },
    ['views.open: view.app_installed_team_id: string / absent'],
  ),
  ...all(
    {
      right: 'ours',
      page: '/reference/block-kit/composition-objects/text-object',
      why: 'text objects come back with their defaults, as in recorded answers (MercuryTechnologies/slack-web)',
    },
    ['blocks[].hint', 'blocks[].label', 'close', 'submit', 'title'].map(
      (part) => `views.open: view.${part}.emoji: boolean / absent`,
    ),
  ),
  ...all(
    {
      right: 'ours',
      page: '/reference/interaction-payloads/block_suggestion-payload',
      why: 'input blocks come back with their defaults, as in the example',
    },
    ['views.open: view.blocks[].dispatch_action: boolean / absent'],
  ),
];

const REFUSALS: readonly Disagreement[] = [
  ...all(
    {
      right: 'ours',
      page: '/reference/block-kit/blocks',
      why: 'a message has at most 50 blocks, of known types',
    },
    [
      'chat.postMessage of 51 blocks: invalid_blocks / ok',
      'chat.postMessage of an unknown block: invalid_blocks / ok',
    ],
  ),
  ...all({ right: 'ours', page: '/messaging/message-metadata', why: 'metadata needs an event_type' }, [
    'chat.postMessage with metadata without a type: invalid_metadata_schema / ok',
  ]),
  ...all({ right: 'ours', page: `${METHODS}chat.postEphemeral`, why: 'the page has no user_not_found' }, [
    'chat.postEphemeral to nobody: user_not_in_channel / user_not_found',
  ]),
  ...all({ right: 'ours', page: `${METHODS}chat.update`, why: 'an unknown channel is channel_not_found' }, [
    'chat.update nowhere: channel_not_found / message_not_found',
  ]),
];

const USER = '/reference/objects/user-object';
const STRINGS = 'color tz tz_label who_can_share_contact_card profile.avatar_hash profile.first_name';
const MORE_STRINGS = 'profile.last_name profile.status_text_canonical profile.team';
const IMAGES = 'profile.image_24 profile.image_32 profile.image_512 profile.image_72';
const FLAGS = 'is_app_user is_email_confirmed is_owner is_primary_owner is_restricted is_ultra_restricted';
const ofUser = (parts: string, shape: string) =>
  parts.split(' ').map((part) => `users.info: user.${part}: ${shape}`);
const USERS = [
  ...all({ right: 'ours', page: USER, why: 'a user has it' }, [
    ...ofUser(`${STRINGS} ${MORE_STRINGS} ${IMAGES}`, 'string / absent'),
    ...ofUser(FLAGS, 'boolean / absent'),
    ...ofUser('tz_offset updated', 'number / absent'),
    ...ofUser('profile.fields', 'null / absent'),
  ]),
  ...all(
    { right: 'ours', page: USER, why: 'it takes the scope users:read.email' },
    ofUser('profile.email', 'absent / string'),
  ),
  ...all({ right: 'either', page: USER, why: 'of somebody who is in no huddle' }, [
    ...ofUser('profile.huddle_state', 'absent / string'),
    ...ofUser('profile.huddle_state_expiration_ts', 'absent / number'),
  ]),
];

export const KNOWN_DISAGREEMENTS: readonly Disagreement[] = [
  ...USERS,
  ...MESSAGES,
  ...READING,
  ...SIGNING_IN,
  ...REFUSALS,
];
