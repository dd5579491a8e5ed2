import './zod-without-eval.ts';
import './main.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { takeSignInCode } from './features/session/sign-in-code.ts';

// First of all, so that the code is gone from the address bar before anything else can go wrong.
const signInCode = takeSignInCode();

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <App signInCode={signInCode} />
  </StrictMode>,
);
