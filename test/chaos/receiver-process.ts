// The receiver's process (receiver.ts): it gets its certificate, says its address, and in the end whatever came.
import { type Sink, startSink } from '../webhooks/sink.ts';
import type { Question } from './receiver.ts';

let sink: Sink | undefined;

process.on('message', async (question: Question) => {
  if ('certificate' in question) {
    sink = await startSink(question);
    process.send?.(sink.url);
  } else {
    process.send?.(sink?.received.map(({ headers }) => headers['x-service-webhook-id'] ?? ''));
  }
});
process.on('disconnect', () => process.exit(0));
