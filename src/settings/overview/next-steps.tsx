// What a new workspace does first, in the order in which it makes sense, until all of it is done.
import type { Application } from '../../applications/application.ts';
import { ButtonLink } from '../../page/button.tsx';
import { Panel } from '../../page/panel.tsx';
import type { MemberVisit } from '../shell/visit.ts';

export type Done = {
  application: boolean;
  signIn: boolean;
  /** An application is live, and has been topped up. */
  live: boolean;
  webhook: boolean;
  apiKey: boolean;
  colleague: boolean;
};

type NextStepsProps = { visit: MemberVisit; done: Done; first: Application | undefined };

type Step = { name: string; why: string; isDone: boolean; label: string; path: string };

export function NextSteps({ visit, done, first }: NextStepsProps) {
  const steps = stepsOf({ visit, done, first });
  const next = steps.find(({ isDone }) => !isDone);
  const finished = steps.filter(({ isDone }) => isDone).length;
  return (
    <Panel heading="Next steps" lead={`${finished} of ${steps.length} done.`}>
      <ol class="steps">
        {steps.map((step) => (
          <li key={step.name} class={step.isDone ? 'done' : ''}>
            <div>
              <p class="step-name">
                {step.name}
                {step.isDone && <span class="unseen"> (done)</span>}
              </p>
              {!step.isDone && <p class="fine">{step.why}</p>}
              {step === next && (
                <div class="actions">
                  <ButtonLink kind="primary" href={visit.path(step.path)}>
                    {step.label}
                  </ButtonLink>
                </div>
              )}
            </div>
          </li>
        ))}
      </ol>
    </Panel>
  );
}

function stepsOf({ visit, done, first }: NextStepsProps): Step[] {
  const isOwner = visit.member.role === 'owner';
  const ofFirst = first ? `/applications/${first.id}` : '/applications';
  const steps: Step[] = [
    {
      name: 'Create an application',
      why: 'One for each service that people sign in to. You get its Client ID, its secret, and code for your stack.',
      isDone: done.application,
      label: 'Create an application',
      path: '/applications/new',
    },
    {
      name: 'Test a sign-in',
      why: 'Add the code to your service, or try it from here. A trial uses the real pages and is free.',
      isDone: done.signIn,
      label: 'Try it',
      path: first ? `${ofFirst}/try` : ofFirst,
    },
    first?.isTest
      ? {
          name: 'Go live and top up',
          why: 'Test sign-ins are free. For real customers, take the application live and top up its balance.',
          isDone: done.live,
          label: 'Go live',
          path: isOwner ? `${ofFirst}/go-live` : ofFirst,
        }
      : {
          name: 'Top up the balance',
          why: 'Live sign-ins are charged to it, and fail while it is empty.',
          isDone: done.live,
          label: 'Top up',
          path: first ? `${ofFirst}/balance` : ofFirst,
        },
    {
      name: 'Receive webhooks',
      why: 'Get a signed request for each registration and sign-in, within a second.',
      isDone: done.webhook,
      label: 'Add an endpoint',
      path: '/webhooks',
    },
    {
      name: 'Read customers and events with the API',
      why: 'A key for your backend, shown once.',
      isDone: done.apiKey,
      label: 'Create an API key',
      path: '/api-keys',
    },
  ];
  if (!isOwner) return steps;
  return [
    ...steps,
    {
      name: 'Invite a colleague',
      why: 'So the workspace doesn’t depend on a single person.',
      isDone: done.colleague,
      label: 'Invite a member',
      path: '/members/invite',
    },
  ];
}
