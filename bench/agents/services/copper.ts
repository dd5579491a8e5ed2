import type { Call, FakeService, Item, Reply } from './fake-service.ts';
import { cycle, day, numbers, person } from './people.ts';
import { choice, integer, listOf, object, query, ref, text } from './schema.ts';

const stages = ['appointment', 'proposal', 'negotiation', 'closedwon', 'closedlost'];

const properties: Record<string, Record<string, Record<string, unknown>>> = {
  contacts: {
    firstname: text('The first name of the contact'),
    lastname: text('The last name of the contact'),
    email: text('The primary email of the contact. Must be unique.'),
    phone: text('The primary phone number of the contact, including the country code'),
    lifecyclestage: choice(['lead', 'opportunity', 'customer']),
  },
  companies: { name: text('The name of the company'), domain: text(), industry: text(), city: text() },
  deals: {
    dealname: text('The name given to this deal'),
    amount: text('The total amount of the deal in the currency of the account, as a decimal number'),
    dealstage: choice(stages, 'The stage of the deal in its pipeline'),
    closedate: text('The date the deal is expected to close', { format: 'date' }),
    ownerid: text(),
  },
};

/** A CRM: everything is an object with a bag of properties, numbers are texts, and pages are linked by `after`. */
export const copper: FakeService = {
  name: 'copper',
  info: {
    title: 'Copperleaf CRM objects',
    version: 'v3',
    description:
      'CRM objects such as contacts, companies and deals are records of your database of customers.',
  },
  pathParameters: {
    contactId: 'The ID of the contact.',
    companyId: 'The ID of the company.',
    dealId: 'The ID of the deal.',
    objectId: 'The ID of the record.',
  },
  schemas: {
    ...Object.fromEntries(
      Object.entries(properties).map(([kind, bag]) => [
        nameOf(kind),
        object({
          'id!': text(),
          'properties!': object(bag),
          createdAt: text(),
          updatedAt: text(),
          archived: { type: 'boolean' },
        }),
      ]),
    ),
    Paging: object({ next: object({ after: text(), link: text() }) }),
    Note: object({ id: text(), contactId: text(), body: text() }),
    Filter: object({
      'propertyName!': text(),
      'operator!': choice(['EQ', 'NEQ', 'GT', 'LT', 'CONTAINS_TOKEN']),
      value: text(),
    }),
  },
  operations: [
    ...['contacts', 'companies', 'deals'].flatMap(operationsOf),
    {
      ...{
        method: 'PUT',
        path: '/crm/v3/objects/contacts/{contactId}/associations/companies/{companyId}',
        tag: 'Associations',
      },
      id: 'put-contact-to-company-association',
      summary: 'Associate a contact with a company',
      description:
        'Creates the default association between two existing records. Both records must exist before they are associated.',
      reply: object({ contactId: text(), companyId: text() }),
      handle: ({ state, path }) => {
        const exists = has(state.contacts, path.contactId) && has(state.companies, path.companyId);
        if (!exists) return missing(`${path.contactId} or ${path.companyId}`);
        state.associations?.push({ ...path });
        return { body: path };
      },
    },
    {
      ...{
        method: 'PUT',
        path: '/crm/v3/objects/deals/{dealId}/associations/contacts/{contactId}',
        tag: 'Associations',
      },
      id: 'put-deal-to-contact-association',
      summary: 'Associate a deal with a contact',
      reply: object({ dealId: text(), contactId: text() }),
    },
    {
      ...{ method: 'GET', path: '/crm/v3/notes', tag: 'Notes', id: 'get-notes', summary: 'List notes' },
      reply: object({ results: listOf(ref('Note')), paging: ref('Paging') }),
    },
    {
      ...{ method: 'POST', path: '/crm/v3/notes', tag: 'Notes', id: 'post-notes', summary: 'Create a note' },
      description: 'Notes are shown in the timeline of the record. They can hold up to 65,536 characters.',
      body: object({
        'contactId!': text('The contact whose timeline shows the note'),
        'body!': text('The content of the note'),
      }),
      reply: ref('Note'),
      handle: ({ state, body }) => {
        if (!has(state.contacts, body.contactId)) return missing(body.contactId);
        const note = { id: '90001', ...body };
        state.notes?.push(note);
        return { status: 201, body: note };
      },
    },
    {
      ...{
        method: 'GET',
        path: '/crm/v3/owners',
        tag: 'Owners',
        id: 'get-owners',
        summary: 'Get a page of owners',
      },
      reply: object({ results: listOf(object({ id: text(), email: text() })), paging: ref('Paging') }),
    },
    {
      ...{
        method: 'GET',
        path: '/crm/v3/pipelines/deals',
        tag: 'Pipelines',
        id: 'get-pipelines',
        summary: 'Retrieve the pipelines of deals and their stages',
      },
      reply: object({ results: listOf(object({ id: text(), label: text(), stages: listOf(text()) })) }),
    },
  ],
  seed: () => ({
    contacts: numbers(84).map((number) => {
      const { first, last, email } = person(number - 1);
      const bag = {
        firstname: first,
        lastname: last,
        email,
        phone: '',
        lifecyclestage: cycle(['lead', 'customer'], number),
      };
      return record(60_000 + number, bag);
    }),
    companies: numbers(26).map((number) => {
      const name =
        number === 11
          ? 'Fjord Logistics'
          : `${cycle(['Alder', 'Birch', 'Cedar', 'Dune', 'Ember'], number)} ${cycle(['Foods', 'Labs', 'Energy', 'Media'], number)} ${number}`;
      return record(50_000 + number, { name, domain: `company${number}.example`, industry: '', city: '' });
    }),
    deals: numbers(58).map((number) => {
      const dealname =
        number === 31
          ? 'Fjord Logistics renewal'
          : `${cycle(['Renewal', 'Expansion', 'Pilot'], number)} ${number}`;
      const dealstage = number === 31 ? 'appointment' : cycle(stages, number);
      const amount = String(1_250 + ((number * 911) % 38_000));
      return record(70_000 + number, {
        dealname,
        amount,
        dealstage,
        closedate: day(300 + number),
        ownerid: String(number % 7),
      });
    }),
    associations: [],
    notes: [],
  }),
};

function record(id: number, bag: Item): Item {
  const createdAt = '2026-03-01T08:00:00.000Z';
  return { id: String(id), properties: bag, createdAt, updatedAt: createdAt, archived: false };
}

function nameOf(kind: string): string {
  return kind === 'companies' ? 'Company' : `${kind[0]?.toUpperCase()}${kind.slice(1, -1)}`;
}

function operationsOf(kind: string): FakeService['operations'] {
  const name = nameOf(kind);
  const noun = name.toLowerCase();
  const base = `/crm/v3/objects/${kind}`;
  const path = `${base}/{${noun}Id}`;
  const operation = (
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    route: string,
    verb: string,
    summary: string,
  ) => ({ method, path: route, id: `${verb}-${noun}`, tag: `${name} objects`, summary }) as const;
  return [
    {
      ...operation('GET', base, 'get-page-of', `Read a page of ${kind}`),
      description: `Returns a page of ${kind}. Control what is returned via the properties query parameter. To find records by their properties, use the search endpoint.`,
      parameters: [
        query(
          'limit',
          integer(undefined, { default: 10, maximum: 100 }),
          'The maximum number of results to display per page.',
        ),
        query(
          'after',
          text(),
          'The paging cursor token of the last successfully read resource will be returned as the paging.next.after JSON property of a paged response containing more results.',
        ),
        query('properties', listOf(text()), 'The properties to be returned in the response.'),
        query(
          'archived',
          { type: 'boolean', default: false },
          'Whether to return only results that have been archived.',
        ),
      ],
      reply: object({ 'results!': listOf(ref(name)), paging: ref('Paging') }),
      handle: (call) => page(call, kind),
    },
    {
      ...operation('POST', base, 'create', `Create a ${noun}`),
      description: `Creates a ${noun} with the given properties and returns a copy of the object, including the ID.`,
      body: object({ 'properties!': object(properties[kind] ?? {}) }),
      reply: ref(name),
      handle: ({ state, body }) => {
        const items = state[kind] ?? [];
        const created = record(Number(items.at(-1)?.id) + 1, body.properties);
        items.push(created);
        return { status: 201, body: created };
      },
    },
    {
      ...operation('GET', path, 'get', `Read a ${noun}`),
      description: `Reads the ${noun} that is identified by its ID.`,
      reply: ref(name),
      handle: ({ state, path: ids }) => {
        const [id] = Object.values(ids);
        const found = state[kind]?.find((one) => one.id === id);
        return found ? { body: found } : missing(id);
      },
    },
    {
      ...operation('PATCH', path, 'update', `Update a ${noun}`),
      description:
        'Performs a partial update. Read-only and non-existent properties will result in an error. Properties can be cleared by passing an empty string.',
      body: object({ 'properties!': object(properties[kind] ?? {}) }),
      reply: ref(name),
      handle: (call) => update(call, kind),
    },
    {
      ...operation('DELETE', path, 'archive', `Archive a ${noun}`),
      description: `Moves the ${noun} to the recycling bin.`,
    },
    {
      ...operation('POST', `${base}/search`, 'search', `Search for ${kind}`),
      body: object({ 'filters!': listOf(ref('Filter')), limit: integer(), after: text() }),
      reply: object({ total: integer(), results: listOf(ref(name)), paging: ref('Paging') }),
      handle: (call) => search(call, kind),
    },
  ];
}

function page({ state, query: { limit = '10', after = '0' } }: Call, kind: string): Reply {
  const all = state[kind] ?? [];
  const to = Number(after) + Math.min(Number(limit), 100);
  const next = { after: String(to), link: `?after=${to}` };
  return { body: { results: all.slice(Number(after), to), ...(to < all.length && { paging: { next } }) } };
}

function update({ state, path, body }: Call, kind: string): Reply {
  const [id] = Object.values(path);
  const found = state[kind]?.find((one) => one.id === id);
  if (!found) return missing(id);
  const wrong = Object.keys(body.properties).find((name) => !(name in (properties[kind] ?? {})));
  if (wrong !== undefined) return problem(400, `Property "${wrong}" does not exist`);
  found.properties = { ...(found.properties as Item), ...body.properties };
  return { body: found };
}

function search({ state, body }: Call, kind: string): Reply {
  const filters = body.filters as { propertyName: string; operator: string; value: string }[];
  const results = (state[kind] ?? []).filter(({ properties: bag }) =>
    filters.every(({ propertyName, operator, value }) => {
      const own = String((bag as Item)[propertyName]);
      return operator === 'EQ'
        ? own === value
        : operator === 'CONTAINS_TOKEN'
          ? own.includes(value)
          : own !== value;
    }),
  );
  return { body: { total: results.length, results: results.slice(0, 10) } };
}

function has(items: Item[] | undefined, wanted: string | undefined): boolean {
  return items?.some(({ id }) => id === wanted) ?? false;
}

function missing(id: string | undefined): Reply {
  return problem(404, `Object not found. objectId are usually numeric: ${id}`);
}

function problem(status: number, message: string): Reply {
  return {
    status,
    body: { status: 'error', message, correlationId: '0f1e2d3c', category: 'VALIDATION_ERROR' },
  };
}
