/*
 * progress.c - calls Python functions with the progress of a long call.
 *
 * The library may call from any thread, without the interpreter's lock. An exception in the callback ends the call and
 * is raised by it.
 */
#include "python.h"

bool progress_begin(progress *p, PyObject *callback)
{
    *p = (progress){callback == Py_None ? NULL : callback, NULL};
    if (!p->callback || PyCallable_Check(callback))
        return true;
    PyErr_SetString(PyExc_TypeError, "progress must be callable: it receives a number from 0 to 1");
    return false;
}

bool progress_report(void *context, double fraction)
{
    progress *p = context;
    const PyGILState_STATE state = PyGILState_Ensure();
    PyObject *answer = p->raised ? NULL : PyObject_CallFunction(p->callback, "d", fraction);
    if (!answer && !p->raised)
        p->raised = error_take();
    Py_XDECREF(answer);
    PyGILState_Release(state);
    return answer != NULL;
}

bool progress_raise(progress *p)
{
    if (!p->raised)
        return false;
    PyErr_SetObject((PyObject *)Py_TYPE(p->raised), p->raised);
    Py_CLEAR(p->raised);
    return true;
}
