import 'server-only';
import { msg } from '@lingui/core/macro';
import { describeFields } from '#lib/schema-docs.ts';
import { ErrorBody } from './error-body.ts';

export const named = {
  Error: describeFields(ErrorBody, {
    code: { description: msg`What went wrong; never changes, so decide by it` },
    message: { description: msg`The same in words, for people` },
    errors: { description: msg`All messages of fields, flat` },
    fields: { description: msg`What is wrong with each field, by its name` },
    request_id: { description: msg`Leads to the log of the request` },
  }),
};
