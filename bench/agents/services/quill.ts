import type { FakeService, Item, Reply } from './fake-service.ts';
import { cycle, numbers, padded, person } from './people.ts';
import { boolean, integer, listOf, object, query, ref, text } from './schema.ts';

const paging = [
  query(
    'cursor',
    text(),
    "Paginate through collections of data by setting the cursor parameter to a next_cursor attribute returned by a previous request's response_metadata.",
  ),
  query(
    'limit',
    integer(undefined, { default: 20 }),
    'The maximum number of items to return. Fewer than the requested number of items may be returned, even if the end of the list has not been reached.',
  ),
];

/** A team chat: procedures with dots in their names, cursors, and errors that come with status 200. */
export const quill: FakeService = {
  name: 'quill',
  info: {
    title: 'Quill Web API',
    version: '2.0',
    description: 'One method for everything that members can do.',
  },
  pathParameters: {},
  schemas: {
    Channel: object({
      id: text('The id of the conversation'),
      name: text('Without the leading #'),
      is_archived: boolean(),
      is_private: boolean(),
      topic: text(),
      num_members: integer(),
    }),
    User: object({
      id: text(),
      name: text('Handle'),
      real_name: text(),
      email: text(),
      title: text(),
      is_bot: boolean(),
      deleted: boolean(),
    }),
    Message: object({
      ts: text('Timestamp; identifies the message in its channel'),
      channel: text(),
      user: text(),
      text: text(),
      thread_ts: text('The message that started the thread'),
    }),
    Reminder: object({ id: text(), user: text(), text: text(), time: text() }),
    Metadata: object({ next_cursor: text('Empty if there are no more items') }),
  },
  operations: [
    read('conversations.list', 'conversations', 'Lists all channels in a team', 'channels', 'Channel', [
      query('types', text(), 'Mix and match channel types.'),
      query('team_id', text()),
    ]),
    {
      ...method('GET', 'conversations.info', 'conversations', 'Retrieve information about a conversation'),
      parameters: [query('channel!', text(), 'Conversation ID to learn more about.')],
      reply: object({ ok: boolean(), channel: ref('Channel') }),
      handle: ({ state, query: { channel } }) =>
        within(state.channels, channel, 'channel_not_found', (found) => ({ channel: found })),
    },
    {
      ...method(
        'POST',
        'conversations.create',
        'conversations',
        'Initiates a public or private channel-based conversation',
      ),
      body: object({ 'name!': text(), is_private: boolean() }),
      reply: object({ ok: boolean(), channel: ref('Channel') }),
    },
    {
      ...method('POST', 'conversations.archive', 'conversations', 'Archives a conversation'),
      body: object({ 'channel!': text('ID of conversation to archive') }),
      reply: object({ ok: boolean() }),
      handle: ({ state, body }) =>
        within(state.channels, body.channel, 'channel_not_found', (found) => {
          if (found.is_archived) throw new Refused('already_archived');
          found.is_archived = true;
          return {};
        }),
    },
    {
      ...method('POST', 'conversations.unarchive', 'conversations', 'Reverses conversation archival'),
      body: object({ 'channel!': text('ID of conversation to unarchive') }),
      reply: object({ ok: boolean() }),
    },
    {
      ...method('POST', 'conversations.setTopic', 'conversations', 'Sets the topic for a conversation'),
      body: object({
        'channel!': text('Conversation to set the topic of'),
        'topic!': text('The new topic string'),
      }),
      reply: object({ ok: boolean(), channel: ref('Channel') }),
      handle: ({ state, body }) =>
        within(state.channels, body.channel, 'channel_not_found', (found) => {
          found.topic = body.topic;
          return { channel: found };
        }),
    },
    {
      ...method('POST', 'conversations.setPurpose', 'conversations', 'Sets the purpose for a conversation'),
      body: object({ 'channel!': text(), 'purpose!': text() }),
      reply: object({ ok: boolean(), purpose: text() }),
    },
    {
      ...method('POST', 'conversations.invite', 'conversations', 'Invites users to a channel'),
      body: object({
        'channel!': text('The ID of the public or private channel to invite user(s) to'),
        'users!': { ...listOf(text()), description: 'User IDs, up to 1000' },
      }),
      reply: object({ ok: boolean(), channel: ref('Channel') }),
      handle: ({ state, body }) =>
        within(state.channels, body.channel, 'channel_not_found', (channel) => {
          for (const user of body.users) {
            if (!state.users?.some(({ id }) => id === user)) throw new Refused('user_not_found');
            state.memberships?.push({ channel: channel.id, user });
          }
          return { channel };
        }),
    },
    {
      ...method('POST', 'conversations.kick', 'conversations', 'Removes a user from a conversation'),
      body: object({ 'channel!': text(), 'user!': text() }),
      reply: object({ ok: boolean() }),
    },
    {
      ...method(
        'GET',
        'conversations.history',
        'conversations',
        "Fetches a conversation's history of messages and events",
      ),
      parameters: [query('channel!', text(), 'Conversation ID to fetch history for.'), ...paging],
      reply: object({ ok: boolean(), messages: listOf(ref('Message')), response_metadata: ref('Metadata') }),
      handle: ({ state, query: { channel, ...page } }) =>
        within(state.channels, channel, 'channel_not_found', () => {
          const all = (state.messages ?? []).filter((message) => message.channel === channel).toReversed();
          return paged('messages', all, page);
        }),
    },
    {
      ...method('GET', 'conversations.members', 'conversations', 'Retrieve members of a conversation'),
      parameters: [query('channel!', text()), ...paging],
      reply: object({ ok: boolean(), members: listOf(text()), response_metadata: ref('Metadata') }),
    },
    {
      ...method('POST', 'chat.postMessage', 'chat', 'Sends a message to a channel'),
      body: object({
        'channel!': text('Channel, private group or DM to send the message to. Must be an encoded ID'),
        'text!': text('How this field works and whether it is required depends on other fields you use'),
        thread_ts: text("Provide another message's ts value to make this message a reply"),
        mrkdwn: boolean(),
        unfurl_links: boolean(),
      }),
      reply: object({ ok: boolean(), channel: text(), ts: text(), message: ref('Message') }),
      handle: ({ state, body: { channel, text: content, thread_ts } }) =>
        within(state.channels, channel, 'channel_not_found', () => {
          const ts = `1796000${padded(state.messages?.length ?? 0, 3)}.000200`;
          const message = {
            ts,
            channel,
            user: 'U0000',
            text: content,
            ...(thread_ts !== undefined && { thread_ts }),
          };
          state.messages?.push(message);
          return { channel, ts, message };
        }),
    },
    {
      ...method('POST', 'chat.update', 'chat', 'Updates a message'),
      body: object({
        'channel!': text(),
        'ts!': text('Timestamp of the message to be updated'),
        text: text(),
      }),
      reply: object({ ok: boolean(), ts: text() }),
    },
    {
      ...method('POST', 'chat.delete', 'chat', 'Deletes a message'),
      body: object({ 'channel!': text(), 'ts!': text() }),
      reply: object({ ok: boolean() }),
    },
    read('users.list', 'users', 'Lists all users in a team', 'members', 'User', []),
    {
      ...method('GET', 'users.info', 'users', 'Gets information about a user'),
      parameters: [query('user!', text(), 'User to get info on')],
      reply: object({ ok: boolean(), user: ref('User') }),
      handle: ({ state, query: { user } }) =>
        within(state.users, user, 'user_not_found', (found) => ({ user: found })),
    },
    {
      ...method('GET', 'users.lookupByEmail', 'users', 'Find a user with an email address'),
      parameters: [query('email!', text(), 'An email address belonging to a user in the workspace')],
      reply: object({ ok: boolean(), user: ref('User') }),
      handle: ({ state, query: { email } }) => {
        const user = state.users?.find((one) => one.email === email);
        return { body: user ? { ok: true, user } : { ok: false, error: 'users_not_found' } };
      },
    },
    {
      ...method('POST', 'reminders.add', 'reminders', 'Creates a reminder'),
      body: object({
        'text!': text('The content of the reminder'),
        'time!': text('When this reminder should happen, as an ISO 8601 date'),
        user: text('The user who will receive the reminder'),
      }),
      reply: object({ ok: boolean(), reminder: ref('Reminder') }),
      handle: ({ state, body }) => {
        const reminder = { id: 'Rm001', ...body };
        state.reminders?.push(reminder);
        return { body: { ok: true, reminder } };
      },
    },
    {
      ...method('GET', 'reminders.list', 'reminders', 'Lists all reminders created by or for a given user'),
      reply: object({ ok: boolean(), reminders: listOf(ref('Reminder')) }),
    },
    {
      ...method('POST', 'pins.add', 'pins', 'Pins an item to a channel'),
      body: object({ 'channel!': text(), timestamp: text() }),
      reply: object({ ok: boolean() }),
    },
    {
      ...method('POST', 'reactions.add', 'reactions', 'Adds a reaction to an item'),
      body: object({ 'channel!': text(), 'timestamp!': text(), 'name!': text('Reaction (emoji) name') }),
      reply: object({ ok: boolean() }),
    },
    {
      ...method('GET', 'team.info', 'team', 'Gets information about the current team'),
      reply: object({ ok: boolean(), team: object({ id: text(), name: text() }) }),
    },
  ],
  seed: () => ({
    channels: numbers(58).map(channel),
    users: numbers(47).map((number) => user(number - 1)),
    messages: numbers(45).map((number) => ({
      ts: `17950000${padded(number, 2)}.000100`,
      channel: 'C0037',
      user: `U${padded(number % 40, 4)}`,
      text:
        number === 31
          ? 'Who owns the runbook?'
          : `Status ${number}: ${cycle(['all green', 'one alert', 'deploying'], number)}`,
    })),
    memberships: [],
    reminders: [],
  }),
};

function channel(number: number): Item {
  const names: Record<number, string> = {
    23: 'team-platform',
    37: 'ops',
    44: 'release-notes',
    50: 'incident-41',
    51: 'incident-42',
  };
  const topics = ['design', 'sales', 'support', 'hiring', 'data', 'mobile', 'finance'];
  return {
    id: `C${padded(number, 4)}`,
    name:
      names[number] ??
      `${cycle(topics, number)}-${cycle(['general', 'help', 'random', 'news'], number)}-${number}`,
    is_archived: number % 6 === 0,
    is_private: number % 11 === 0,
    topic: '',
    num_members: [5, 12, 17, 29, 36, 41, 53].includes(number) ? 0 : 2 + ((number * 7) % 40),
  };
}

function user(number: number): Item {
  const { name, email, first } = person(number);
  const isBot = number % 8 === 7;
  return {
    id: `U${padded(number, 4)}`,
    name: `${first.toLowerCase()}${number}`,
    real_name: name,
    email,
    title: cycle(['Engineer', 'Designer', 'Sales', 'Support'], number),
    is_bot: isBot,
    deleted: false,
  };
}

function method(verb: 'GET' | 'POST', name: string, tag: string, summary: string) {
  return { method: verb, path: `/api/${name}`, id: name.replace('.', '_'), tag, summary } as const;
}

function read(
  name: string,
  tag: string,
  summary: string,
  field: string,
  schema: string,
  filters: Item[],
): FakeService['operations'][number] {
  return {
    ...method('GET', name, tag, summary),
    parameters: [...filters, ...paging],
    reply: object({ ok: boolean(), [field]: listOf(ref(schema)), response_metadata: ref('Metadata') }),
    handle: ({ state, query: page }) => ({
      body: { ok: true, ...paged(field, state[field === 'members' ? 'users' : field] ?? [], page) },
    }),
  };
}

/** At most 50 items, whatever the caller asks for. */
function paged(field: string, all: Item[], { cursor, limit = '20' }: Record<string, string>): Item {
  const from = cursor ? Number(Buffer.from(cursor, 'base64').toString().slice(4)) : 0;
  const to = from + Math.min(Number(limit), 50);
  const next = to < all.length ? Buffer.from(`pos:${to}`).toString('base64') : '';
  return { [field]: all.slice(from, to), response_metadata: { next_cursor: next } };
}

class Refused extends Error {}

function within(
  items: Item[] | undefined,
  wanted: string | undefined,
  error: string,
  work: (item: Item) => Item,
): Reply {
  const found = items?.find(({ id }) => id === wanted);
  if (!found) return { body: { ok: false, error } };
  try {
    return { body: { ok: true, ...work(found) } };
  } catch (thrown) {
    if (thrown instanceof Refused) return { body: { ok: false, error: thrown.message } };
    throw thrown;
  }
}
