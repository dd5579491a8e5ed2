import './zod-without-eval.ts';
import './main.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { removeServiceWorkers } from './features/session/service-workers.ts';
import { takeSignInCode } from './features/session/sign-in-code.ts';

// Runs first, so that the code is removed from the address bar before anything can fail.
const signInCode = takeSignInCode();
void removeServiceWorkers();

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <App signInCode={signInCode} />
  </StrictMode>,
);
