import type { Call, FakeService, Item, Reply } from './fake-service.ts';
import { cycle, day, numbers, padded, person } from './people.ts';
import { boolean, choice, integer, listOf, object, query, ref, text } from './schema.ts';

/** An online shop: plain REST with snake_case, page numbers, and amounts in cents. */
export const harbor: FakeService = {
  name: 'harbor',
  info: { title: 'Harbor Commerce API', version: '1.14.0', description: 'Manage your store.' },
  pathParameters: {
    customer_id: 'Unique identifier of the customer.',
    order_id: 'Unique identifier of the order (not the order number).',
    product_id: 'Unique identifier of the product.',
    discount_id: 'Unique identifier of the discount.',
  },
  schemas: {
    Customer: object({
      'id!': text('Unique identifier', { example: 'cus_0001' }),
      'email!': text(),
      'name!': text(),
      country: text('ISO 3166-1 alpha-2 country code'),
      created_at: text(undefined, { format: 'date' }),
      marketing_opt_in: boolean(),
    }),
    Order: object({
      'id!': text('Unique identifier', { example: 'ord_1001' }),
      'number!': integer('The order number that the customer sees'),
      customer_id: text(),
      status: choice(['pending', 'paid', 'shipped', 'cancelled', 'refunded']),
      total: integer('Total in cents'),
      currency: text(),
      placed_at: text(undefined, { format: 'date' }),
      note: text('A note by the customer', { nullable: true }),
      lines: listOf(object({ product_id: text(), quantity: integer(), price: integer() })),
    }),
    Product: object({
      'id!': text('Unique identifier'),
      'sku!': text('Stock keeping unit'),
      title: text(),
      price: integer('Price in cents'),
      stock: integer('Pieces in stock'),
      status: choice(['active', 'archived']),
      category: text(),
    }),
    Discount: object({
      id: text(),
      code: text('What customers type at checkout'),
      percent_off: integer(),
      expires_on: text(undefined, { format: 'date' }),
      active: boolean(),
    }),
    Refund: object({ id: text(), order_id: text(), amount: integer('Amount in cents'), reason: text() }),
    Fulfillment: object({ id: text(), order_id: text(), carrier: text(), tracking_number: text() }),
    Adjustment: object({ id: text(), product_id: text(), delta: integer(), reason: text() }),
    Meta: object({ page: integer(), per_page: integer(), total: integer(), total_pages: integer() }),
  },
  operations: [
    list('/v1/customers', 'customers', 'Customer', 'List customers', [
      query('email', text(), 'Filter by exact email.'),
      query('country', text(), 'Filter by country code.'),
    ]),
    one('/v1/customers/{customer_id}', 'customers', 'Customer', 'Retrieve a customer'),
    {
      ...{
        method: 'POST',
        path: '/v1/customers',
        id: 'createCustomer',
        tag: 'Customers',
        summary: 'Create a customer',
      },
      body: object({ 'email!': text(), 'name!': text(), country: text() }),
      reply: ref('Customer'),
    },
    {
      ...{ method: 'PATCH', path: '/v1/customers/{customer_id}', id: 'updateCustomer', tag: 'Customers' },
      summary: 'Update a customer',
      description: 'Updates the customer by setting the values of the parameters passed.',
      body: object({ email: text(), name: text(), country: text(), marketing_opt_in: boolean() }),
      reply: ref('Customer'),
      handle: (call) => change(call, 'customers', call.path.customer_id),
    },
    list('/v1/orders', 'orders', 'Order', 'List orders', [
      query('customer_id', text(), 'Only orders of this customer.'),
      query('status', choice(['pending', 'paid', 'shipped', 'cancelled', 'refunded'])),
      query('placed_after', text(undefined, { format: 'date' })),
    ]),
    one('/v1/orders/{order_id}', 'orders', 'Order', 'Retrieve an order'),
    {
      ...{
        method: 'PATCH',
        path: '/v1/orders/{order_id}',
        id: 'updateOrder',
        tag: 'Orders',
        summary: 'Update an order',
      },
      body: object({ note: text() }),
      reply: ref('Order'),
      handle: (call) => change(call, 'orders', call.path.order_id),
    },
    {
      ...{ method: 'POST', path: '/v1/orders/{order_id}/cancellation', id: 'cancelOrder', tag: 'Orders' },
      summary: 'Cancel an order',
      description: 'Orders that are already shipped cannot be cancelled.',
      body: object({ reason: choice(['customer', 'duplicate', 'inventory', 'fraud']) }),
      reply: ref('Order'),
      handle: (call) => cancel(call),
    },
    {
      ...{ method: 'POST', path: '/v1/orders/{order_id}/refunds', id: 'createRefund', tag: 'Refunds' },
      summary: 'Create a refund',
      description: 'Refunds an order in part or in full. The amount must not exceed the total of the order.',
      body: object({
        'amount!': integer('Amount in cents', { minimum: 1 }),
        'reason!': choice(['damaged', 'duplicate', 'fraudulent', 'requested_by_customer']),
      }),
      reply: ref('Refund'),
      handle: (call) => refund(call),
    },
    {
      ...{ method: 'GET', path: '/v1/orders/{order_id}/refunds', id: 'listRefunds', tag: 'Refunds' },
      summary: 'List the refunds of an order',
      reply: object({ data: listOf(ref('Refund')) }),
    },
    {
      ...{
        method: 'POST',
        path: '/v1/orders/{order_id}/fulfillments',
        id: 'createFulfillment',
        tag: 'Fulfillments',
      },
      summary: 'Create a fulfillment',
      description: 'Records that an order left the warehouse.',
      body: object({ 'carrier!': choice(['dhl', 'ups', 'fedex', 'postnord']), 'tracking_number!': text() }),
      reply: ref('Fulfillment'),
      handle: ({ state, path, body }) =>
        add(state.fulfillments, { id: 'ful_0001', order_id: path.order_id, ...body }),
    },
    list('/v1/products', 'products', 'Product', 'List products', [
      query('status', choice(['active', 'archived'])),
      query('category', text()),
    ]),
    one('/v1/products/{product_id}', 'products', 'Product', 'Retrieve a product'),
    {
      ...{
        method: 'POST',
        path: '/v1/products',
        id: 'createProduct',
        tag: 'Products',
        summary: 'Create a product',
      },
      body: object({ 'sku!': text(), 'title!': text(), price: integer() }),
      reply: ref('Product'),
    },
    {
      ...{ method: 'PATCH', path: '/v1/products/{product_id}', id: 'updateProduct', tag: 'Products' },
      summary: 'Update a product',
      description: 'Updates title, price, category or status. Stock is changed by inventory adjustments.',
      body: object({
        title: text(),
        price: integer(),
        category: text(),
        status: choice(['active', 'archived']),
      }),
      reply: ref('Product'),
      handle: (call) => change(call, 'products', call.path.product_id),
    },
    {
      ...{
        method: 'POST',
        path: '/v1/inventory/adjustments',
        id: 'createInventoryAdjustment',
        tag: 'Inventory',
      },
      summary: 'Adjust inventory',
      description: 'Adds to or subtracts from the stock of a product.',
      body: object({
        'product_id!': text(),
        'delta!': integer('Pieces to add, or to subtract if negative'),
        'reason!': choice(['received', 'damaged', 'recount', 'returned']),
      }),
      reply: ref('Adjustment'),
      handle: ({ state, body }) => add(state.adjustments, { id: 'adj_0001', ...body }),
    },
    {
      ...{
        method: 'GET',
        path: '/v1/inventory/adjustments',
        id: 'listInventoryAdjustments',
        tag: 'Inventory',
      },
      summary: 'List inventory adjustments',
      reply: object({ data: listOf(ref('Adjustment')), meta: ref('Meta') }),
    },
    list('/v1/discounts', 'discounts', 'Discount', 'List discounts', []),
    {
      ...{
        method: 'POST',
        path: '/v1/discounts',
        id: 'createDiscount',
        tag: 'Discounts',
        summary: 'Create a discount',
      },
      description: 'Creates a code that customers type at checkout.',
      body: object({
        'code!': text(),
        'percent_off!': integer(undefined, { minimum: 1, maximum: 100 }),
        expires_on: text(undefined, { format: 'date' }),
      }),
      reply: ref('Discount'),
      handle: ({ state, body }) => add(state.discounts, { id: 'dis_0013', active: true, ...body }),
    },
    {
      ...{ method: 'DELETE', path: '/v1/discounts/{discount_id}', id: 'deleteDiscount', tag: 'Discounts' },
      summary: 'Deactivate a discount',
    },
    {
      ...{
        method: 'GET',
        path: '/v1/shop',
        id: 'getShop',
        tag: 'Shop',
        summary: 'Retrieve the settings of the shop',
      },
      reply: object({ name: text(), currency: text() }),
    },
    {
      ...{
        method: 'GET',
        path: '/v1/reports/sales',
        id: 'getSalesReport',
        tag: 'Reports',
        summary: 'Sales report',
      },
      parameters: [query('from!', text()), query('to!', text())],
      reply: object({ total: integer(), orders: integer() }),
    },
  ],
  seed: () => ({
    customers: numbers(63).map((number) => {
      const { name, email } = person(number - 1);
      const country = cycle(['DE', 'PT', 'SE', 'JP', 'NG'], number);
      const more = { created_at: day(-number * 3), marketing_opt_in: number % 2 === 0 };
      return { id: `cus_${padded(number, 4)}`, email, name, country, ...more };
    }),
    orders: numbers(137).map((count) => order(count + 1000)),
    products: numbers(41).map(product),
    discounts: numbers(12).map((number) => {
      return {
        id: `dis_${padded(number, 4)}`,
        code: `CODE${number}`,
        percent_off: 5 * (number % 6),
        expires_on: day(number),
        active: true,
      };
    }),
    refunds: [],
    fulfillments: [],
    adjustments: [],
  }),
};

function order(number: number): Item {
  const status: Record<number, string> = { 1042: 'paid', 1063: 'paid', 1077: 'pending' };
  return {
    id: `ord_${number}`,
    number,
    customer_id: `cus_${padded(((number * 5) % 63) + 1, 4)}`,
    status:
      status[number] ??
      cycle(['paid', 'shipped', 'pending', 'paid', 'cancelled', 'shipped', 'refunded'], number),
    total: 3_500 + ((number * 733) % 42_000),
    currency: 'EUR',
    placed_at: day(number - 900),
    note: number === 1090 ? 'Gift wrap is missing on the invoice' : null,
    lines: [{ product_id: `prd_${padded((number % 41) + 1, 3)}`, quantity: (number % 3) + 1, price: 1_900 }],
  };
}

function product(number: number): Item {
  const isEmpty = [5, 12, 18, 20, 28, 33].includes(number);
  return {
    id: `prd_${padded(number, 3)}`,
    sku: `${cycle(['CHR', 'RUG', 'MUG', 'LMP'], number)}-${padded(number, 2)}`,
    title: `${cycle(['Chair', 'Rug', 'Mug', 'Lamp'], number)} ${cycle(['Oslo', 'Lund', 'Bergen', 'Turku', 'Aarhus'], number)}`,
    price: 900 + ((number * 517) % 14_000),
    stock: isEmpty ? 0 : 3 + ((number * 13) % 37),
    status: number % 9 === 0 ? 'archived' : 'active',
    category: cycle(['chairs', 'rugs', 'kitchen', 'lighting'], number),
  };
}

function list(
  path: string,
  collection: string,
  schema: string,
  summary: string,
  filters: Item[],
): FakeService['operations'][number] {
  return {
    method: 'GET',
    path,
    id: `list${schema}s`,
    tag: `${schema}s`,
    summary,
    description: `Returns a list of your ${collection}, newest last.`,
    parameters: [
      ...filters,
      query('page', integer(undefined, { minimum: 1, default: 1 }), 'Page number.'),
      query('per_page', integer(undefined, { minimum: 1, maximum: 50, default: 20 }), 'Items per page.'),
    ],
    reply: object({ 'data!': listOf(ref(schema)), 'meta!': ref('Meta') }),
    handle: ({ state, query: { page = '1', per_page = '20', placed_after, ...wanted } }) => {
      const all = (state[collection] ?? []).filter(
        (item) =>
          Object.entries(wanted).every(([name, value]) => String(item[name]) === value) &&
          (placed_after === undefined || String(item.placed_at) > placed_after),
      );
      const size = Number(per_page);
      const data = all.slice((Number(page) - 1) * size, Number(page) * size);
      const meta = {
        page: Number(page),
        per_page: size,
        total: all.length,
        total_pages: Math.ceil(all.length / size),
      };
      return { body: { data, meta } };
    },
  };
}

function one(
  path: string,
  collection: string,
  schema: string,
  summary: string,
): FakeService['operations'][number] {
  return {
    ...{ method: 'GET', path, id: `get${schema}`, tag: `${schema}s`, summary, reply: ref(schema) },
    handle: ({ state, path: ids }) => {
      const found = state[collection]?.find(({ id }) => id === Object.values(ids)[0]);
      return found ? { body: found } : missing(schema, Object.values(ids)[0]);
    },
  };
}

function change({ state, body }: Call, collection: string, wanted: string | undefined): Reply {
  const found = state[collection]?.find(({ id }) => id === wanted);
  if (!found) return missing(collection.slice(0, -1), wanted);
  Object.assign(found, body);
  return { body: found };
}

function cancel({ state, path }: Call): Reply {
  const found = state.orders?.find(({ id }) => id === path.order_id);
  if (!found) return missing('Order', path.order_id);
  if (found.status === 'shipped') return problem(409, 'order_shipped', 'The order was already shipped.');
  found.status = 'cancelled';
  return { body: found };
}

function refund({ state, path, body }: Call): Reply {
  const found = state.orders?.find(({ id }) => id === path.order_id);
  if (!found) return missing('Order', path.order_id);
  if (body.amount > Number(found.total))
    return problem(
      422,
      'amount_too_large',
      `amount must not exceed the total of the order (${found.total}).`,
    );
  return add(state.refunds, { id: 'ref_0001', order_id: found.id, ...body });
}

function add(items: Item[] | undefined, item: Item): Reply {
  items?.push(item);
  return { status: 201, body: item };
}

function missing(what: string, id: string | undefined): Reply {
  return problem(404, 'resource_missing', `No such ${what.toLowerCase()}: ${id}`);
}

function problem(status: number, code: string, message: string): Reply {
  return { status, body: { error: { code, message } } };
}
