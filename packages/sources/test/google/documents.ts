/* Discovery documents in Google's format, shortened by hand: the keys, paths, types and scopes are those of the real APIs. */

const scope = 'https://www.googleapis.com/auth/';
const scopes = (...names: string[]) => names.map((name) => scope + name);
const auth = (...names: string[]) => ({
  oauth2: {
    scopes: Object.fromEntries(scopes(...names).map((name) => [name, { description: `Use ${name}` }])),
  },
});

const query = (type: string, description = '') => ({ type, description, location: 'query' });
const inPath = (description = '') => ({ type: 'string', description, location: 'path', required: true });
const integer = (description: string, more: object = {}) => ({
  ...query('integer', description),
  format: 'int32',
  ...more,
});

/** The parameters of all methods of all APIs. */
const parameters = {
  '$.xgafv': { ...query('string', 'V1 error format.'), enum: ['1', '2'], enumDescriptions: ['v1', 'v2'] },
  access_token: query('string', 'OAuth access token.'),
  alt: { ...query('string', 'Data format for response.'), default: 'json', enum: ['json', 'media', 'proto'] },
  callback: query('string', 'JSONP'),
  fields: query('string', 'Selector specifying which fields to include in a partial response.'),
  key: query('string', 'API key.'),
  oauth_token: query('string', 'OAuth 2.0 token for the current user.'),
  prettyPrint: {
    ...query('boolean', 'Returns response with indentations and line breaks.'),
    default: 'true',
  },
  quotaUser: query('string', 'Available to use for quota purposes.'),
  uploadType: query('string', 'Legacy upload protocol for media.'),
  upload_protocol: query('string', 'Upload protocol for media.'),
};

const head = (rootUrl: string, name: string, version: string) => ({
  kind: 'discovery#restDescription',
  discoveryVersion: 'v1',
  id: `${name}:${version}`,
  name,
  version,
  revision: '20260801',
  protocol: 'rest',
  rootUrl: `${rootUrl}/`,
  mtlsRootUrl: 'https://www.mtls.googleapis.com/',
  fullyEncodeReservedExpansion: true,
  parameters,
});

export function driveDocument(rootUrl: string) {
  return {
    ...head(rootUrl, 'drive', 'v3'),
    title: 'Google Drive API',
    servicePath: 'drive/v3/',
    batchPath: 'batch/drive/v3',
    auth: auth('drive', 'drive.file', 'drive.readonly'),
    schemas: {
      File: {
        id: 'File',
        type: 'object',
        properties: {
          id: { type: 'string', description: 'The ID of the file.' },
          kind: { type: 'string', default: 'drive#file' },
          name: { type: 'string' },
          mimeType: { type: 'string' },
          size: { type: 'string', format: 'int64', readOnly: true },
          createdTime: { type: 'string', format: 'date-time' },
          parents: { type: 'array', items: { type: 'string' } },
          properties: { type: 'object', additionalProperties: { type: 'string' } },
          shortcutDetails: { $ref: 'File', description: 'What it points to.' },
        },
      },
      FileList: {
        id: 'FileList',
        type: 'object',
        properties: {
          files: { type: 'array', items: { $ref: 'File' } },
          nextPageToken: { type: 'string' },
        },
      },
    },
    resources: {
      files: {
        methods: {
          create: {
            id: 'drive.files.create',
            path: 'files',
            flatPath: 'files',
            httpMethod: 'POST',
            description: 'Creates a file.',
            parameters: { keepRevisionForever: { ...query('boolean'), default: 'false' } },
            request: { $ref: 'File' },
            response: { $ref: 'File' },
            scopes: scopes('drive', 'drive.file'),
            supportsMediaUpload: true,
            mediaUpload: {
              accept: ['*/*'],
              maxSize: '5497558138880',
              protocols: {
                simple: { multipart: true, path: '/upload/drive/v3/files' },
                resumable: { multipart: true, path: '/resumable/upload/drive/v3/files' },
              },
            },
          },
          delete: {
            id: 'drive.files.delete',
            path: 'files/{fileId}',
            httpMethod: 'DELETE',
            description: 'Permanently deletes a file.',
            parameters: { fileId: inPath('The ID of the file.') },
            parameterOrder: ['fileId'],
            scopes: scopes('drive', 'drive.file'),
          },
          export: {
            id: 'drive.files.export',
            path: 'files/{fileId}/export',
            httpMethod: 'GET',
            description: 'Exports a Google Workspace document.',
            parameters: { fileId: inPath(), mimeType: { ...query('string'), required: true } },
            scopes: scopes('drive', 'drive.readonly'),
            supportsMediaDownload: true,
          },
          get: {
            id: 'drive.files.get',
            path: 'files/{fileId}',
            httpMethod: 'GET',
            description: "Gets a file's metadata or content by ID.",
            parameters: { fileId: inPath(), acknowledgeAbuse: query('boolean') },
            response: { $ref: 'File' },
            scopes: scopes('drive', 'drive.readonly'),
            supportsMediaDownload: true,
            useMediaDownloadService: true,
          },
          list: {
            id: 'drive.files.list',
            path: 'files',
            httpMethod: 'GET',
            description: "Lists the user's files.",
            parameters: {
              pageSize: integer('The maximum number of files to return per page.', {
                default: '100',
                minimum: '1',
                maximum: '1000',
              }),
              pageToken: query('string', 'The token for continuing a previous list request.'),
              corpora: {
                ...query('string'),
                enum: ['user', 'drive'],
                enumDescriptions: ['Of the user', 'Of a drive'],
              },
            },
            response: { $ref: 'FileList' },
            scopes: scopes('drive', 'drive.readonly'),
          },
        },
      },
    },
  };
}

export function calendarDocument(rootUrl: string) {
  const eventPath = { calendarId: inPath('Calendar identifier.'), eventId: inPath('Event identifier.') };
  return {
    ...head(rootUrl, 'calendar', 'v3'),
    title: 'Calendar API',
    servicePath: 'calendar/v3/',
    batchPath: 'batch/calendar/v3',
    auth: auth('calendar', 'calendar.events', 'calendar.readonly'),
    schemas: {
      Event: {
        id: 'Event',
        type: 'object',
        properties: {
          id: { type: 'string' },
          start: {
            $ref: 'EventDateTime',
            annotations: { required: ['calendar.events.insert', 'calendar.events.update'] },
          },
          end: { $ref: 'EventDateTime', annotations: { required: ['calendar.events.insert'] } },
          summary: { type: 'string' },
          sequence: { type: 'integer', format: 'int32' },
        },
      },
      EventDateTime: {
        id: 'EventDateTime',
        type: 'object',
        properties: { dateTime: { type: 'string', format: 'date-time' }, timeZone: { type: 'string' } },
      },
      Events: {
        id: 'Events',
        type: 'object',
        properties: { items: { type: 'array', items: { $ref: 'Event' } }, nextPageToken: { type: 'string' } },
      },
    },
    resources: {
      events: {
        methods: {
          insert: {
            id: 'calendar.events.insert',
            path: 'calendars/{calendarId}/events',
            httpMethod: 'POST',
            description: 'Creates an event.',
            parameters: { calendarId: inPath() },
            request: { $ref: 'Event' },
            response: { $ref: 'Event' },
            scopes: scopes('calendar', 'calendar.events'),
          },
          list: {
            id: 'calendar.events.list',
            path: 'calendars/{calendarId}/events',
            httpMethod: 'GET',
            description: 'Returns events on the specified calendar.',
            parameters: {
              calendarId: inPath(),
              eventTypes: { ...query('string'), repeated: true, enum: ['default', 'focusTime'] },
              pageToken: query('string'),
              timeMin: { ...query('string'), format: 'date-time' },
            },
            response: { $ref: 'Events' },
            scopes: scopes('calendar', 'calendar.readonly'),
          },
          patch: {
            id: 'calendar.events.patch',
            path: 'calendars/{calendarId}/events/{eventId}',
            httpMethod: 'PATCH',
            description: 'Updates an event.',
            parameters: { ...eventPath, sendNotifications: { ...query('boolean'), deprecated: true } },
            request: { $ref: 'Event' },
            response: { $ref: 'Event' },
            scopes: scopes('calendar'),
          },
        },
      },
    },
  };
}

export function gmailDocument(rootUrl: string) {
  return {
    ...head(rootUrl, 'gmail', 'v1'),
    title: 'Gmail API',
    servicePath: '',
    batchPath: 'batch',
    auth: auth('gmail.send', 'gmail.readonly'),
    schemas: {
      Message: {
        id: 'Message',
        type: 'object',
        properties: {
          id: { type: 'string' },
          historyId: { type: 'string', format: 'uint64' },
          internalDate: { type: 'string', format: 'int64' },
          raw: { type: 'string', format: 'byte' },
          threadId: { type: 'string' },
        },
      },
      BatchDeleteMessagesRequest: {
        id: 'BatchDeleteMessagesRequest',
        type: 'object',
        properties: { ids: { type: 'array', items: { type: 'string' } } },
      },
    },
    resources: {
      users: {
        methods: {
          getProfile: {
            id: 'gmail.users.getProfile',
            path: 'gmail/v1/users/{userId}/profile',
            httpMethod: 'GET',
            description: "Gets the current user's Gmail profile.",
            parameters: { userId: { ...inPath(), default: 'me' } },
            scopes: scopes('gmail.readonly'),
          },
        },
        resources: {
          messages: {
            methods: {
              batchDelete: {
                id: 'gmail.users.messages.batchDelete',
                path: 'gmail/v1/users/{userId}/messages/batchDelete',
                httpMethod: 'POST',
                description: 'Deletes many messages by message ID.',
                parameters: { userId: { ...inPath(), default: 'me' } },
                request: { $ref: 'BatchDeleteMessagesRequest' },
              },
              send: {
                id: 'gmail.users.messages.send',
                path: 'gmail/v1/users/{userId}/messages/send',
                httpMethod: 'POST',
                description: 'Sends the specified message.',
                parameters: { userId: { ...inPath(), default: 'me' } },
                request: { $ref: 'Message' },
                response: { $ref: 'Message' },
                scopes: scopes('gmail.send'),
                supportsMediaUpload: true,
                mediaUpload: {
                  accept: ['message/*'],
                  maxSize: '36700160',
                  protocols: {
                    simple: { multipart: true, path: '/upload/gmail/v1/users/{userId}/messages/send' },
                  },
                },
              },
            },
          },
        },
      },
    },
  };
}
