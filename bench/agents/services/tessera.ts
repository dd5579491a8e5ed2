import type { Call, FakeService, Item, Reply } from './fake-service.ts';
import { cycle, numbers, padded, person } from './people.ts';
import { choice, integer, listOf, object, query, text } from './schema.ts';

type Attributes = Record<string, Record<string, unknown>>;

const room: Attributes = {
  name: text(),
  floor: integer(),
  building: text(),
  seats: integer('Number of seats'),
  equipment: listOf(text()),
};
const bookingFields: Attributes = {
  roomId: text('The room that is booked'),
  title: text('The subject of the meeting'),
  startsAt: text(undefined, { format: 'date-time' }),
  endsAt: text(undefined, { format: 'date-time' }),
  organizerEmail: text(undefined, { format: 'email' }),
};
const booking: Attributes = { ...bookingFields, status: choice(['confirmed', 'tentative']) };
const guest: Attributes = { bookingId: text(), email: text() };

/** Meeting rooms and their bookings: JSON:API, with bracketed parameters, offsets, and nested bodies. */
export const tessera: FakeService = {
  name: 'tessera',
  info: { title: 'Tessera Spaces', version: 'v2', description: 'JSON:API for rooms, desks and bookings.' },
  pathParameters: { id: 'The id of the resource', bookingId: 'The id of the booking' },
  operations: [
    list('/rooms', 'rooms', room, 'Rooms', 'List rooms', ['floor', 'building', 'name']),
    one('/rooms/{id}', 'rooms', room, 'Rooms', 'Fetch a room'),
    list('/bookings', 'bookings', booking, 'Bookings', 'List bookings', [
      'roomId',
      'organizerEmail',
      'status',
    ]),
    one('/bookings/{bookingId}', 'bookings', booking, 'Bookings', 'Fetch a booking'),
    {
      ...{ method: 'POST', path: '/bookings', tag: 'Bookings', summary: 'Create a booking' },
      description: 'Fails with 409 if the room is taken.',
      body: document('bookings', {
        'roomId!': bookingFields.roomId ?? {},
        'title!': text(),
        'startsAt!': text(undefined, { format: 'date-time' }),
        'endsAt!': text(undefined, { format: 'date-time' }),
        organizerEmail: text(undefined, { format: 'email' }),
      }),
      reply: object({ data: resource(booking) }),
      handle: (call) => createBooking(call),
    },
    {
      ...{ method: 'PATCH', path: '/bookings/{bookingId}', tag: 'Bookings', summary: 'Update a booking' },
      description: 'Only the attributes in the document are changed.',
      body: document('bookings', booking),
      reply: object({ data: resource(booking) }),
      handle: ({ state, path, body }) => {
        const found = state.bookings?.find(({ id }) => id === path.bookingId);
        if (!found) return missing('booking', path.bookingId);
        found.attributes = { ...(found.attributes as Item), ...body.data.attributes };
        return { body: { data: found } };
      },
    },
    {
      ...{ method: 'DELETE', path: '/bookings/{bookingId}', tag: 'Bookings', summary: 'Delete a booking' },
      handle: ({ state, path }) => {
        const index = state.bookings?.findIndex(({ id }) => id === path.bookingId) ?? -1;
        if (index < 0) return missing('booking', path.bookingId);
        state.bookings?.splice(index, 1);
        return { status: 204 };
      },
    },
    list('/bookings/{bookingId}/guests', 'guests', guest, 'Guests', 'List guests of a booking', []),
    {
      ...{
        method: 'POST',
        path: '/bookings/{bookingId}/guests',
        tag: 'Guests',
        summary: 'Add a guest to a booking',
      },
      body: document('guests', { 'email!': text(undefined, { format: 'email' }) }),
      reply: object({ data: resource(guest) }),
      handle: ({ state, path, body }) => {
        const attributes = { bookingId: path.bookingId, ...body.data.attributes };
        const created = { id: '1', type: 'guests', attributes };
        state.guests?.push(created);
        return { status: 201, body: { data: created } };
      },
    },
    list('/buildings', 'buildings', { name: text(), city: text() }, 'Buildings', 'List buildings', []),
    list('/desks', 'desks', { label: text(), floor: integer() }, 'Desks', 'List desks', ['floor']),
    {
      ...{ method: 'GET', path: '/availability', tag: 'Availability', summary: 'Check when rooms are free' },
      parameters: [query('filter[roomId]', text()), query('from!', text()), query('to!', text())],
      reply: object({ data: listOf(object({ roomId: text(), free: listOf(text()) })) }),
    },
    {
      ...{ method: 'POST', path: '/rooms', tag: 'Rooms', summary: 'Create a room' },
      body: document('rooms', room),
      reply: object({ data: resource(room) }),
    },
    {
      ...{ method: 'PATCH', path: '/rooms/{id}', tag: 'Rooms', summary: 'Update a room' },
      body: document('rooms', room),
      reply: object({ data: resource(room) }),
    },
  ],
  seed: () => ({
    rooms: numbers(22).map((number) => {
      const names: Record<number, string> = { 7: 'Grey Wolf', 9: 'Blue Heron', 12: 'Red Fox' };
      const name =
        names[number] ??
        `${cycle(['Green', 'Brown', 'White', 'Black'], number)} ${cycle(['Owl', 'Hare', 'Lynx', 'Seal', 'Crane'], number)} ${number}`;
      const seats = number === 7 ? 24 : 4 + ((number * 3) % 14);
      return {
        id: String(number),
        type: 'rooms',
        attributes: {
          name,
          floor: 1 + (number % 4) + (number === 7 ? -1 : 0),
          building: 'Main',
          seats,
          equipment: number % 2 ? ['screen'] : [],
        },
      };
    }),
    bookings: numbers(90).map(bookingOf),
    guests: [],
    buildings: [{ id: '1', type: 'buildings', attributes: { name: 'Main', city: 'Turku' } }],
    desks: [],
  }),
};

function bookingOf(number: number): Item {
  const special: Record<number, [title: string, organizer: number]> = {
    34: ['Vendor call', 3],
    47: ['Budget round', 8],
    71: ['Design critique', 6],
  };
  const titles = ['Standup', 'Planning', 'Interview', 'Retro', 'One on one'];
  const [title, organizer] = special[number] ?? [cycle(titles, number), 11 + (number % 9)];
  const date = `2026-12-${padded(1 + Math.floor(number / 5), 2)}`;
  const hour = 8 + (number % 5) * 2;
  const attributes = {
    roomId: String(1 + (number % 8)),
    title: number === 12 || number === 55 ? 'Vendor call' : title,
    startsAt: `${date}T${padded(hour, 2)}:00:00Z`,
    endsAt: `${date}T${padded(hour + 1, 2)}:00:00Z`,
    organizerEmail: person(organizer).email,
    status: number % 4 === 0 ? 'tentative' : 'confirmed',
  };
  return { id: String(400 + number), type: 'bookings', attributes };
}

function createBooking({ state, body }: Call): Reply {
  const { attributes } = body.data;
  if (!state.rooms?.some(({ id }) => id === attributes.roomId)) return missing('room', attributes.roomId);
  if (!(attributes.startsAt < attributes.endsAt)) return problem(422, 'endsAt must be after startsAt.');
  const overlaps = state.bookings?.some(({ attributes: other }) => {
    const { roomId, startsAt, endsAt } = other as Record<string, string>;
    return (
      roomId === attributes.roomId &&
      String(startsAt) < attributes.endsAt &&
      attributes.startsAt < String(endsAt)
    );
  });
  if (overlaps) return problem(409, 'The room is taken at that time.');
  const created = { id: '900', type: 'bookings', attributes: { status: 'confirmed', ...attributes } };
  state.bookings?.push(created);
  return { status: 201, body: { data: created } };
}

function resource(attributes: Attributes) {
  return object({ 'id!': text(), 'type!': text(), 'attributes!': object(attributes) });
}

function document(type: string, attributes: Attributes) {
  return object({ 'data!': object({ 'type!': choice([type]), 'attributes!': object(attributes) }) });
}

function list(
  path: string,
  collection: string,
  attributes: Attributes,
  tag: string,
  summary: string,
  filters: string[],
): FakeService['operations'][number] {
  return {
    ...{ method: 'GET', path, tag, summary },
    parameters: [
      ...filters.map((name) =>
        query(`filter[${name}]`, attributes[name]?.type === 'integer' ? integer() : text()),
      ),
      query('page[offset]', integer(undefined, { minimum: 0, default: 0 }), 'Number of resources to skip'),
      query(
        'page[limit]',
        integer(undefined, { minimum: 1, maximum: 50, default: 10 }),
        'Maximum number of resources',
      ),
    ],
    reply: object({
      'data!': listOf(resource(attributes)),
      links: object({ next: text('URL of the next page', { nullable: true }) }),
      meta: object({ total: integer() }),
    }),
    handle: ({ state, query: parameters }) => {
      const all = (state[collection] ?? []).filter(({ attributes: values }) =>
        Object.entries(parameters).every(([name, value]) => {
          const field = /^filter\[(\w+)\]$/.exec(name)?.[1];
          return field === undefined || String((values as Item)[field]) === value;
        }),
      );
      const offset = Number(parameters['page[offset]'] ?? 0);
      const limit = Number(parameters['page[limit]'] ?? 10);
      const next =
        offset + limit < all.length ? `https://api.example.com${path}?page[offset]=${offset + limit}` : null;
      return {
        body: { data: all.slice(offset, offset + limit), links: { next }, meta: { total: all.length } },
      };
    },
  };
}

function one(
  path: string,
  collection: string,
  attributes: Attributes,
  tag: string,
  summary: string,
): FakeService['operations'][number] {
  return {
    ...{ method: 'GET', path, tag, summary, reply: object({ data: resource(attributes) }) },
    handle: ({ state, path: ids }) => {
      const [wanted] = Object.values(ids);
      const found = state[collection]?.find(({ id }) => id === wanted);
      return found ? { body: { data: found } } : missing(collection.slice(0, -1), wanted);
    },
  };
}

function missing(what: string, id: string | undefined): Reply {
  return problem(404, `There is no ${what} ${id}.`);
}

function problem(status: number, detail: string): Reply {
  return { status, body: { errors: [{ status: String(status), detail }] } };
}
